import { readFacts } from '../../domain/catalogue/record-facts.ts';
import type { RetrievedSubject } from '../gets.ts';
import { readItem } from './item.ts';
import { readTransaction, type TransactionKind } from './transaction.ts';

/** Reads the record of a subject that has a GET of its own: what decides its lifecycle, and its facts for lists and search. */
export const readRecord = (kind: TransactionKind | 'item', record: unknown): Omit<RetrievedSubject, 'body'> => ({
  ...(kind === 'item' ? readItem(record) : readTransaction(kind, record)),
  facts: readFacts(record),
});
