import type { Operation } from '../catalogue/operation.ts';

/** Stands in the place of a GET for what was left out since its customer is contradicted. It stays until a person has looked at it. */
export const CUSTOMERS = 'customers';

/** GET that failed, and how. */
export interface FailedGet {
  readonly operation: string;
  readonly message: string;
}

/** GET that failed for good, and the reason. */
export interface Refused extends FailedGet {
  readonly operation: Operation | typeof CUSTOMERS;
  /** Id of the resource; absent for the subject itself. */
  readonly id?: string;
}

/** GET of a subject that failed and is asked for again later. The newest of its operation stands for all of them. */
export interface Refusal extends Refused {
  /** Time since which the operation has been refused, in milliseconds since the epoch. */
  readonly since: number;
}

/** Merges the result of a retrieval, if there was one: it replaces everything known of the operations that it called. */
export function mergeRefusals(
  known: readonly Refusal[],
  retrieved:
    | { readonly calls: readonly Pick<Refused, 'operation'>[]; readonly refused: readonly Refused[] }
    | undefined,
  now: number,
): readonly Refusal[] {
  const { calls, refused } = retrieved ?? { calls: [], refused: [] };
  const called = new Set(calls.map(({ operation }) => operation));
  const newest = new Map(known.map((refusal) => [refusal.operation, refusal]));
  const sinceOf = (refused: Refused) => newest.get(refused.operation)?.since ?? now;
  const again = refused.map((refusal) => ({ ...refusal, since: sinceOf(refusal) }));
  for (const operation of called) newest.delete(operation);
  for (const refusal of again) newest.set(refusal.operation, refusal);
  return [...newest.values()];
}

/** Describes a refused GET in one line: `getUser: GET /uiproperties/users/2108 answered 403`. */
export const describeRefusal = ({ operation, message }: FailedGet): string => `${operation}: ${message}`;

/** Longest wait before a refused GET is asked for again, in milliseconds. */
const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Undefined if nothing is to be asked for again. The waits grow with the time for which the newest has been refused. */
export function askAgainAt(refusals: readonly Refusal[], now: number, shortestMs: number): number | undefined {
  const asked = refusals.filter(({ operation }) => operation !== CUSTOMERS);
  if (asked.length === 0) return undefined;
  const newest = Math.max(...asked.map(({ since }) => since));
  return now + Math.min(LONGEST_WAIT_MS, Math.max(shortestMs, 3 * (now - newest)));
}
