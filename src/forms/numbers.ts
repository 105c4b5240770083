import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../base/longest-timer.ts';

/** Creates the form of a whole number of at least `min`, and of at most `max` if that is given. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = `must be a whole number ${range}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
}

/** Longest timer of Node, in milliseconds: a longer one fires at once. */
const LONGEST_IN_NODE_MS = 2_147_483_647;

/** Creates the form of a duration in milliseconds; most become timers of Temporal. */
export const duration = (min = 0) => wholeNumber(min, LONGEST_TIMER_MS);

/** Creates the form of a duration in milliseconds that becomes a timer of Node. */
export const nodeTimer = (min = 0) => wholeNumber(min, LONGEST_IN_NODE_MS);

/** Form of a port. */
export const port = wholeNumber(0, 65_535);

/** Form of a number of things, of which there is at least one. */
export const count = wholeNumber(1);

/** Form of an age in days. */
export const days = z.coerce.number('must be a number, more than 0').positive('must be more than 0');

/** Form of the timeout of one request, in milliseconds; an attempt of an activity has to fit several of them. */
export const timeout = wholeNumber(1, 30_000);

const rateError = 'must be a number from 0 to 1';

/** Form of a share or a probability. */
export const rate = z.coerce.number(rateError).min(0, rateError).max(1, rateError);
