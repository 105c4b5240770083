import { readerOf } from '../../base/json.ts';
import { refuseTwins } from '../../base/untrusted-json.ts';
import { rowsOf } from '../../domain/catalogue/rows.ts';
import type { SweptKind } from '../../domain/catalogue/subject.ts';
import { isErrorAnswer } from '../../domain/error-answer.ts';
import { findAt, ownIdAt } from '../../domain/own-id.ts';
import { readNumber, readText } from '../../domain/wire-values.ts';
import type { ListedRow } from '../listed.ts';
import { refuseErrors, UnprovenAnswer } from '../resources/proof.ts';
import { readTransaction } from '../resources/transaction.ts';

/** Row of a listing, with the time that shows whether a filter was applied. */
export interface Row extends ListedRow {
  /** Local time without an offset; absent if the row has none. */
  readonly changedAt?: string | undefined;
}

/** Relation of each kind's rows. */
const relations = {
  order: /orders?$/i,
  receipt: /receivers?$/i,
  adjustment: /adjustments?$/i,
  assembly: /assembl(?:y|ies)$/i,
} as const satisfies Record<SweptKind, RegExp>;

/** Dotted paths of a row's id and of the time of its last change, in any case. */
interface RowProperties {
  readonly id: string;
  readonly changed: string;
}

/** Reads a page of a listing. Throws `UnprovenAnswer` for an answer that is none, and for a row without an id or without any known fact. */
export function readListedPage(kind: SweptKind, properties: RowProperties, page: unknown) {
  const rows = rowsIn(kind, page);
  return { total: totalOf(page), rows: rows.map((row) => readRow(kind, properties, row)) };
}

/** Returns the rows of a page. Throws `UnprovenAnswer` for an answer without any list. */
export function rowsIn(kind: SweptKind, page: unknown): readonly unknown[] {
  // HAL leaves out what is empty.
  const rows = rowsOf(page, relations[kind]) ?? (totalOf(page) === 0 ? [] : undefined);
  if (!rows || (rows.length === 0 && isErrorAnswer(page))) throw new UnprovenAnswer('without rows');
  refuseTwins(page);
  return rows;
}

const totalOf = (page: unknown): number | undefined => readNumber(readerOf(page)('totalresults'));

/** Returns the time of a record's last change; one that was never changed may only have the time of its creation. */
export function changedAtIn(record: unknown, path: string): string | undefined {
  const read = readerOf(record);
  return readText(findAt(read, path) ?? findAt(read, 'readonly.creationdate'));
}

function readRow(kind: SweptKind, { id: idPath, changed }: RowProperties, row: unknown): Row {
  refuseErrors(row);
  const id = ownIdAt(row, idPath);
  const { snapshot, isUnreadable } = readTransaction(kind, row);
  if (id === undefined || isUnreadable) throw new UnprovenAnswer(`with a row that is no ${kind}`);
  return { id, changedAt: changedAtIn(row, changed), snapshot };
}
