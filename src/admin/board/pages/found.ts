import { Problem } from '../../../http/problem.ts';

/** Returns what was found. @throws Problem with the status 404 if it is nothing */
export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Problem(404, 'It does not exist, or it was purged.');
  return value;
}
