import { type Operation, resultOf } from '../catalogue/operation.ts';

/** HTTP status, null without an answer. */
export interface GetResult {
  readonly operation: string;
  readonly status: number | null;
  readonly ms: number;
  /** Other subjects of the same GET. */
  readonly others?: number;
}

export interface Retrieval {
  readonly at: number;
  readonly gets: readonly GetResult[];
  readonly refused?: readonly FailedGet[];
  /** For which they are tried again. */
  readonly failure?: FailedGet;
}

const KEPT = 30;

/** Oldest first. */
export const readRetrievals = (json: string | null | undefined): readonly Retrieval[] => JSON.parse(json ?? '[]');

export const writeRetrievals = (kept: string | null | undefined, newest: Retrieval): string =>
  JSON.stringify([...readRetrievals(kept), newest].slice(-KEPT));

/** `GET order 200 in 240 ms, GET user 200 in 12 ms, with 4 others`. */
export const describeGets = (gets: readonly GetResult[]): string =>
  gets.map(describeGet).join(', ') || 'nothing new to GET';

function describeGet({ operation, status, ms, others = 0 }: GetResult): string {
  const company = others > 0 ? `, with ${others} ${others === 1 ? 'other' : 'others'}` : '';
  return `GET ${resultOf(operation, others > 0)} ${status ?? 'failed'} in ${ms} ms${company}`;
}

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
