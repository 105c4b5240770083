import type { SubjectInput } from './messages.ts';
import { follow } from './subject.ts';

/** Follows one order. */
export const order = (input: SubjectInput): Promise<void> => follow(input);

/** Follows one receipt. */
export const receipt = (input: SubjectInput): Promise<void> => follow(input);

/** Follows one adjustment. */
export const adjustment = (input: SubjectInput): Promise<void> => follow(input);

/** Follows one assembly. */
export const assembly = (input: SubjectInput): Promise<void> => follow(input);

/** Follows one item of a customer. */
export const item = (input: SubjectInput): Promise<void> => follow(input);

/** Follows the stock of one item with one qualifier in one facility. */
export const stock = (input: SubjectInput): Promise<void> => follow(input);

/** Follows one received item that is placed on hold and released. */
export const hold = (input: SubjectInput): Promise<void> => follow(input);
