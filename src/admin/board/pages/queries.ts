import { z } from 'zod';

/** Rows of a page. */
export const ROWS = 50;

/** Page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Address of the following page; null if there is none. */
  readonly next: string | null;
  /** Number of rows on all pages, if this is the only one. */
  readonly total: number | undefined;
}

/** Describes a page of a list. A full page may be followed by another, whose address names the last row. */
export function listPage<Row>(
  rows: readonly Row[],
  isFirst: boolean,
  addressAfter: (last: Row) => string,
): ListPage<Row> {
  const last = rows.length < ROWS ? undefined : rows.at(-1);
  const next = last === undefined ? null : addressAfter(last);
  return { rows, next, total: isFirst && next === null ? rows.length : undefined };
}

/** Field of a form, which browsers send empty if nothing was chosen. */
export const field = <T extends z.ZodType>(form: T) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), form.optional());

/** Number of a row. */
const position = z.coerce.number('must be a whole number').int();

/** Query of a page that an action returns to. */
export const doneQuery = z.object({ done: z.string().max(40).optional() });

/** Query of a list whose pages begin after a number. */
export const pageQuery = z.object({ after: position.positive().optional() });
