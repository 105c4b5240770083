import { resultOf } from '../catalogue/operation.ts';
import type { FailedGet } from './refusal.ts';

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
