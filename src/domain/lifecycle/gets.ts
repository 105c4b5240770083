import { resultOf } from '../catalogue/operation.ts';
import type { FailedGet } from './refusal.ts';

/** Answer to a GET: the HTTP status, null if there was none, and the duration in milliseconds. */
export interface GetResult {
  readonly operation: string;
  readonly status: number | null;
  readonly ms: number;
  /** Number of other subjects that the same GET was for; absent for none. */
  readonly others?: number;
}

export interface Retrieval {
  /** Time at which they had ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly gets: readonly GetResult[];
  /** GETs that failed and are done without; absent for none. */
  readonly refused?: readonly FailedGet[];
  /** Failure for which they are tried again; absent for none. */
  readonly failure?: FailedGet;
}

const KEPT = 30;

/** Reads what {@link writeRetrievals} wrote, oldest first. */
export const readRetrievals = (json: string | null | undefined): readonly Retrieval[] => JSON.parse(json ?? '[]');

/** Adds a retrieval to those that are kept, as JSON. */
export const writeRetrievals = (kept: string | null | undefined, newest: Retrieval): string =>
  JSON.stringify([...readRetrievals(kept), newest].slice(-KEPT));

/** `GET order 200 in 240 ms, GET user 200 in 12 ms, with 4 others`. */
export const describeGets = (gets: readonly GetResult[]): string =>
  gets.map(describeGet).join(', ') || 'nothing new to GET';

function describeGet({ operation, status, ms, others = 0 }: GetResult): string {
  const company = others > 0 ? `, with ${others} ${others === 1 ? 'other' : 'others'}` : '';
  return `GET ${resultOf(operation, others > 0)} ${status ?? 'failed'} in ${ms} ms${company}`;
}
