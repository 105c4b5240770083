import type { SubjectInput } from './messages.ts';
import { follow } from './subject.ts';

/** The life of one order. */
export const order = (input: SubjectInput): Promise<void> => follow(input);

/** The life of one receipt. */
export const receipt = (input: SubjectInput): Promise<void> => follow(input);

/** The life of one adjustment. */
export const adjustment = (input: SubjectInput): Promise<void> => follow(input);

/** The life of one assembly. */
export const assembly = (input: SubjectInput): Promise<void> => follow(input);

/** The life of one item of a customer. */
export const item = (input: SubjectInput): Promise<void> => follow(input);

/** What there is of one item with one qualifier in one facility. */
export const stock = (input: SubjectInput): Promise<void> => follow(input);

/** The life of one received item that is put on hold and released. */
export const hold = (input: SubjectInput): Promise<void> => follow(input);
