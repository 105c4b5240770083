import { live } from './life.ts';
import type { LifeInput } from './messages.ts';

/** The life of one order. */
export const order = (input: LifeInput): Promise<void> => live(input);

/** The life of one receipt. */
export const receipt = (input: LifeInput): Promise<void> => live(input);

/** The life of one adjustment. */
export const adjustment = (input: LifeInput): Promise<void> => live(input);

/** The life of one assembly. */
export const assembly = (input: LifeInput): Promise<void> => live(input);

/** The life of one item of a customer. */
export const item = (input: LifeInput): Promise<void> => live(input);

/** What there is of one item with one qualifier in one facility. */
export const stock = (input: LifeInput): Promise<void> => live(input);

/** The life of one received item that is put on hold and released. */
export const hold = (input: LifeInput): Promise<void> => live(input);
