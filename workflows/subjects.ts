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
