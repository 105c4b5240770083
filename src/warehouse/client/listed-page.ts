import { readerOf } from '../../base/json.ts';
import { words } from '../../base/text.ts';
import { refuseTwins } from '../../base/untrusted-json.ts';
import type { Properties } from '../../domain/catalogue/properties.ts';
import { rowsOf } from '../../domain/catalogue/rows.ts';
import type { SweptKind } from '../../domain/catalogue/subject.ts';
import { kinds } from '../../domain/kinds/kinds.ts';
import { readRow as readListed } from '../../domain/kinds/record.ts';
import { findAt, isErrorAnswer, ownIdAt } from '../../domain/own-id.ts';
import { readNumber, readText } from '../../domain/wire-values.ts';
import type { ListedRow } from '../listed.ts';
import { refuseErrors, UnprovenAnswer } from '../resources/proof.ts';

export interface Row extends ListedRow {
  /** Local time without an offset. */
  readonly changedAt?: string | undefined;
}

/** Throws `UnprovenAnswer` for an answer that is no page, and for a row without an id or any known fact. */
export function readListedPage(kind: SweptKind, properties: Properties, page: unknown) {
  const rows = rowsIn(kind, page);
  return { total: totalOf(page), rows: rows.map((row) => readRow(kind, properties, row)) };
}

/** Throws `UnprovenAnswer` for an answer without any list. */
export function rowsIn(kind: SweptKind, page: unknown): readonly unknown[] {
  // HAL leaves out what is empty.
  const rows = rowsOf(page, new RegExp(`(?:${kinds[kind].segments})$`, 'i')) ?? (totalOf(page) === 0 ? [] : undefined);
  if (!rows || (rows.length === 0 && isErrorAnswer(page))) throw new UnprovenAnswer('without rows');
  refuseTwins(page);
  return rows;
}

const totalOf = (page: unknown): number | undefined => readNumber(readerOf(page)('totalresults'));

/** A record that was never changed may only have the time of its creation. */
export function changedAtIn(record: unknown, path: string): string | undefined {
  const read = readerOf(record);
  return readText(findAt(read, path) ?? findAt(read, 'readonly.creationdate'));
}

function readRow(kind: SweptKind, properties: Properties, row: unknown): Row {
  refuseErrors(row);
  const id = ownIdAt(row, properties[`${kind}.id`]);
  const { snapshot, isUnreadable } = readListed(kind, row, properties);
  if (id === undefined || isUnreadable) throw new UnprovenAnswer(`with a row that is no ${words(kind)}`);
  return { id, changedAt: changedAtIn(row, properties[`${kind}.changed`]), snapshot };
}
