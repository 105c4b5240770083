import type { Operation } from '../catalogue/operation.ts';

/** In place of a GET: left out since its customer is contradicted, until a person has looked at it. */
export const CUSTOMERS = 'customers';

export interface FailedGet {
  readonly operation: string;
  readonly message: string;
}

/** Failed for good. */
export interface Refused extends FailedGet {
  readonly operation: Operation | typeof CUSTOMERS;
  /** Absent for the subject itself. */
  readonly id?: string;
}

/** Asked for again later. The newest of its operation stands for all. */
export interface Refusal extends Refused {
  readonly since: number;
}

/** A retrieval replaces everything known of the operations that it called. */
export function mergeRefusals(
  known: readonly Refusal[],
  retrieved:
    | { readonly calls: readonly Pick<Refused, 'operation'>[]; readonly refused: readonly Refused[] }
    | undefined,
  now: number,
): readonly Refusal[] {
  const { calls, refused } = retrieved ?? { calls: [], refused: [] };
  const called = new Set<string>(calls.map(({ operation }) => operation));
  const sinceOf = new Map(known.map(({ operation, since }) => [operation, since]));
  return newestOf([
    ...known.filter(({ operation }) => !called.has(operation)),
    ...refused.map((refusal) => ({ ...refusal, since: sinceOf.get(refusal.operation) ?? now })),
  ]);
}

export const newestOf = (refused: readonly Refusal[]): readonly Refusal[] => [
  ...new Map(refused.map((refusal) => [refusal.operation, refusal])).values(),
];

/** `getUser: GET /uiproperties/users/2108 answered 403`. */
export const describeRefusal = ({ operation, message }: FailedGet): string => `${operation}: ${message}`;

const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Undefined if there is nothing to ask again. Waits grow with the time that the newest has been refused. */
export function askAgainAt(refusals: readonly Refusal[], now: number, shortestMs: number): number | undefined {
  const asked = refusals.filter(({ operation }) => operation !== CUSTOMERS);
  if (asked.length === 0) return undefined;
  const newest = Math.max(...asked.map(({ since }) => since));
  return now + Math.min(LONGEST_WAIT_MS, Math.max(shortestMs, 3 * (now - newest)));
}
