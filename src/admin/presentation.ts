import type { Answer } from './answers.ts';
import type { BulkAction } from './bulk/ports.ts';

const iso = (time: number): string => new Date(time).toISOString();

const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

/** Makes a page of rows; a page with as many rows as its limit may be followed by another. */
export function pageOf<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  { show, placeOf }: { readonly show: (row: Row) => Shown; readonly placeOf: (row: Row) => string },
) {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return { items: rows.map(show), next: last === undefined ? null : placeOf(last) };
}

/** Shows a bulk action with readable times. */
export const showBulk = ({ createdAt, expiresAt, confirmedAt, finishedAt, ...bulk }: BulkAction): Answer<'Bulk'> => ({
  ...bulk,
  createdAt: iso(createdAt),
  expiresAt: iso(expiresAt),
  confirmedAt: isoOrNull(confirmedAt),
  finishedAt: isoOrNull(finishedAt),
});
