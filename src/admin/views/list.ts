import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../store/schema.ts';
import type { Caller } from '../access.ts';
import { listAddress } from '../board/addresses.ts';
import type { Page } from '../board/layout.ts';
import { doneQuery, field, ROWS } from '../board/pages/queries.ts';
import { type LivePage, livePage } from '../board/responder.ts';
import { limitForm } from '../queries.ts';

/** Form of a time in a row: a Date here, ISO 8601 in JSON. */
export const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

type Given<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** Reader of a page of the board. */
export interface Reader {
  readonly caller: Caller;
  /** Address of the page, without a query. */
  readonly address: string;
  /** Filters that apply unless the query has others. Default: none. */
  readonly usual?: Readonly<Record<string, string>>;
}

/** Rows of a page of the board, with everything else that it shows. */
export interface ShownRows<Filters extends z.ZodRawShape, Row> extends Reader {
  readonly rows: readonly Row[];
  /** Address of the following page; null if there is none. */
  readonly next: string | null;
  /** Number of rows on all pages, if this is the only one. */
  readonly total: number | undefined;
  readonly filters: Given<Filters>;
  /** Word for the action after which the page is shown. */
  readonly done: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
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
  placeOf(row: z.output<Row>, query: Given<Filters>): string;
  page(shown: ShownRows<Filters, z.output<Row>>): Page;
}

/** Query of a request, not parsed yet. */
type Parameters = Readonly<Record<string, unknown>>;

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
    query: Parameters,
  ): Promise<{ readonly items: readonly object[]; readonly next: string | null }>;
  /** Makes the page of a query of the board. */
  show(reads: Kysely<Database>, query: Parameters, reader: Reader): Promise<LivePage>;
}

/** Defines a list: one definition for the API, the board, OpenAPI and the command line. */
export function defineList<Filters extends z.ZodRawShape, Row extends z.ZodObject, Place extends z.ZodType>(
  list: ListDefinition<Filters, Row, Place>,
): List {
  const { filters, place, read, placeOf, page } = list;
  const query = z.strictObject({ ...filters, after: place.exactOptional(), limit: limitForm });
  const form = doneQuery.extend({ ...mapped(filters, field), after: place.optional() });
  type Query = Given<Filters> & { readonly after?: z.output<Place> };
  return {
    ...list,
    query,
    async answer(reads, given) {
      const { limit, ...asked } = query.parse(given) as Query & { readonly limit: number };
      const rows = await read(reads, asked as Query, limit);
      return { items: rows, next: placeAfter(rows, asked as Query, limit) };
    },
    async show(reads, given, { caller, address, usual }) {
      const filled = chosen(given, Object.keys(filters));
      const { done, ...asked } = form.parse({ ...given, ...usual, ...filled });
      const rows = await read(reads, asked as Query, ROWS);
      const next = placeAfter(rows, asked as Query, ROWS);
      return livePage(page, {
        rows,
        next: next === null ? null : listAddress(address, { ...filled, after: next }),
        total: next === null && asked.after === undefined ? rows.length : undefined,
        filters: asked as Given<Filters>,
        done: done as string | undefined,
        caller,
        address,
      });
    },
  };

  /** A full page may be followed by another. */
  function placeAfter(rows: readonly z.output<Row>[], asked: Query, limit: number): string | null {
    const last = rows.length < limit ? undefined : rows.at(-1);
    return last === undefined ? null : placeOf(last, asked);
  }
}

/** Returns the fields of a form that were filled in, as they were. */
const chosen = (given: Parameters, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value]] : [];
    }),
  );

const mapped = (shape: z.ZodRawShape, change: (form: z.ZodType) => z.ZodType): z.ZodRawShape =>
  Object.fromEntries(Object.entries(shape).map(([name, form]) => [name, change(form as z.ZodType)]));
