import type { Stream } from '../random.ts';
import type { Identifier } from './directory.ts';
import { chooseFacility } from './directory.ts';
import { type Entry, type EntryOptions, newEntry } from './entry.ts';

/** The kinds that are opened, completed, closed and canceled. */
export type TransactionKind = keyof typeof prefixes;

/** What the warehouse has of every kind of transaction. Times are null for what has not happened. */
export interface Transaction extends Entry {
  readonly kind: TransactionKind;
  readonly id: number;
  readonly referenceNum: string;
  readonly facility: Identifier;
  /** Open, Closed, Canceled. */
  readonly status: 0 | 1 | 2;
  /** False once it is complete. */
  readonly deferNotification: boolean;
  /** When it was closed. */
  readonly processed: number | null;
}

const prefixes = { order: 'OR', receipt: 'RC', adjustment: 'AD', assembly: 'AS' } as const;

/** A transaction to which nothing has happened. Throws for a customer or a facility that there is none of. */
export function newTransaction<K extends TransactionKind>(
  kind: K,
  id: number,
  stream: Stream,
  options: EntryOptions,
): Transaction & { readonly kind: K } {
  return {
    ...newEntry(kind, stream, options),
    id,
    referenceNum: options.referenceNum ?? `${prefixes[kind]}${id}X`,
    facility: chooseFacility(stream, options.facilityId),
    status: 0,
    deferNotification: true,
    processed: null,
  };
}
