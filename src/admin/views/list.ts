import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../store/schema.ts';
import { listAddress } from '../board/addresses.ts';
import type { Page } from '../board/layout.ts';
import { type LivePage, livePage } from '../board/responder.ts';
import { limitForm } from '../queries.ts';

/** Number of rows of a page of the board. */
export const ROWS = 50;

/** Form of a time in a row: a Date here, ISO 8601 in JSON. */
export const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

type Given<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** Rows of a page of the board. */
export interface ShownRows<Filters extends z.ZodRawShape, Row> {
  readonly rows: readonly Row[];
  /** Address of the following page; null if there is none. */
  readonly next: string | null;
  readonly filters: Given<Filters>;
}

/** Definition of a list. */
interface ListDefinition<Filters extends z.ZodRawShape, Row extends z.ZodObject, Place extends z.ZodType> {
  /** Path of the call of the API; the page has the same below `/board`. */
  readonly path: `/${string}`;
  /** Sentence without a period: what it lists. */
  readonly summary: string;
  /** Parameters of the query, fields of the page's form and options of the command, each with a description. */
  readonly filters: Filters;
  /** Form of `after`, which names the last row of the page before. */
  readonly place: Place;
  /** Names of a row and of a page in OpenAPI. */
  readonly names: { readonly row: string; readonly page: string };
  readonly row: Row;
  read(
    reads: Kysely<Database>,
    query: Given<Filters> & { readonly after?: z.output<Place> | undefined },
    limit: number,
  ): Promise<readonly z.output<Row>[]>;
  /** Returns the `after` of what follows a row. */
  placeOf(row: z.output<Row>): string;
  page(shown: ShownRows<Filters, z.output<Row>>): Page;
}

/** List of the administrative API, with its page on the board. */
export interface List
  extends Pick<ListDefinition<z.ZodRawShape, z.ZodObject, z.ZodType>, 'path' | 'summary' | 'names'> {
  readonly filters: z.ZodRawShape;
  readonly row: z.ZodObject;
  /** Schema of the query of the API. */
  readonly query: z.ZodObject;
  /** Answers a query of the API. */
  answer(
    reads: Kysely<Database>,
    query: unknown,
  ): Promise<{ readonly items: readonly object[]; readonly next: string | null }>;
  /** Makes the page of a query of the board. */
  show(reads: Kysely<Database>, query: unknown): Promise<LivePage>;
}

/** Defines a list: one definition for the API, the board, OpenAPI and the command line. */
export function defineList<Filters extends z.ZodRawShape, Row extends z.ZodObject, Place extends z.ZodType>(
  list: ListDefinition<Filters, Row, Place>,
): List {
  const { path, filters, place, read, placeOf, page } = list;
  const query = z.strictObject({ ...filters, after: place.exactOptional(), limit: limitForm });
  const form = z.object({ ...mapped(filters, field), after: place.optional() });
  return {
    ...list,
    query,
    async answer(reads, given) {
      const { limit, ...asked } = query.parse(given) as Given<Filters> & { readonly limit: number };
      const rows = await read(reads, asked as Given<Filters>, limit);
      return { items: rows, next: after(rows, limit) };
    },
    async show(reads, given) {
      const asked = form.parse(given) as Given<Filters>;
      const rows = await read(reads, asked, ROWS);
      const next = after(rows, ROWS);
      const { after: _, ...chosen } = asked as Readonly<Record<string, string | undefined>>;
      const address = next === null ? null : listAddress(`/board${path}`, { ...chosen, after: next });
      return livePage(page, { rows, next: address, filters: asked });
    },
  };

  /** A full page may be followed by another. */
  function after(rows: readonly z.output<Row>[], limit: number): string | null {
    const last = rows.length < limit ? undefined : rows.at(-1);
    return last === undefined ? null : placeOf(last);
  }
}

/** Field of a form, which browsers send empty if nothing was chosen. */
const field = (form: z.ZodType) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), form.optional());

const mapped = (shape: z.ZodRawShape, change: (form: z.ZodType) => z.ZodType): z.ZodRawShape =>
  Object.fromEntries(Object.entries(shape).map(([name, form]) => [name, change(form as z.ZodType)]));
