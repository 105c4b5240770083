import { z } from 'zod';
import type { CountedRows } from '../../store/bounded-count.ts';
import type { Caller } from '../access.ts';
import { listAddress } from '../board/addresses.ts';
import type { Fields } from '../board/filter-form.ts';
import type { Page } from '../board/layout.ts';
import type { Notice } from '../board/notice.ts';
import { doneQuery, field, ROWS } from '../board/queries.ts';
import { livePage } from '../board/responder.ts';
import type { SavedView } from '../board/saved-views.ts';
import { capitalized } from '../board/text.ts';
import type { Asked, Call } from '../call.ts';
import { type Filters, formsOf, type Given } from '../filter.ts';
import { limitForm } from '../queries.ts';
import { openCsv } from './csv.ts';
import { type BoardSources, listOf, type Sources, type View } from './view.ts';

/** Rows of a page of the board, with everything else that it shows. */
export interface ShownRows<F extends Filters, Row, Group = never> {
  readonly rows: readonly Row[];
  /** Counts of everything, whatever the filters are. */
  readonly groups: readonly Group[];
  /** Address of the following page; null if there is none. */
  readonly next: string | null;
  /** Address of all pages as one file. */
  readonly csv: string;
  /** Number of rows on all pages. */
  readonly total: CountedRows;
  readonly filters: Given<F>;
  /** Definitions of the filters. */
  readonly fields: F;
  /** Filters as the reader gave them. */
  readonly given: Fields;
  readonly caller: Caller;
  readonly views: readonly SavedView[];
  /** Address of the page, without a query. */
  readonly address: string;
  /** Notice of the action after which the page is shown. */
  readonly done: Notice | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Counts of the rows of a list, which the query `summary=true` asks for instead of them. */
interface Groups<F extends Filters, Group extends z.ZodObject> {
  /** Name of a group in OpenAPI. */
  readonly name: string;
  /** Sentence without a period for the command's option: what is counted. */
  readonly summary: string;
  readonly row: Group;
  read(sources: Sources, filters: Given<F>): Promise<readonly z.output<Group>[]>;
}

/** Columns of a file, and the row of a file that a row becomes. */
interface FileForm<Row> {
  readonly columns: readonly string[];
  flatten(row: Row): object;
}

interface ListDefinition<
  F extends Filters,
  Row extends z.ZodObject,
  Place extends z.ZodType,
  Group extends z.ZodObject,
> {
  /** Path of the call of the API. */
  readonly path: `/${string}`;
  /** Sentence without a period: what it lists. */
  readonly summary: string;
  readonly tag: Call['tag'];
  /** Sentences: when to use it, and what it does beyond the summary. */
  readonly description: string;
  readonly filters: F;
  /** Form of `after`, which names the last row of the page before. */
  readonly place: Place;
  /** Names of a row and of a page in OpenAPI. */
  readonly names: { readonly row: string; readonly page: string };
  readonly row: Row;
  /** Members of a row that the command shows, the first ones first if there is no room for all. */
  readonly columns: readonly (keyof z.output<Row> & string)[];
  /** Row of a file, where that differs: a cell has no parts. */
  readonly file?: FileForm<z.output<Row>>;
  /** Schemas of parts of a row that have a name in OpenAPI. */
  readonly parts?: Readonly<Record<string, z.ZodType>>;
  readonly groups?: Groups<F, Group>;
  read(
    sources: Sources,
    query: Given<F> & { readonly after?: z.output<Place> | undefined },
    limit: number,
  ): Promise<readonly z.output<Row>[]>;
  /** Counts everything that matches, up to a limit. */
  count(sources: Sources, filters: Given<F>): Promise<CountedRows>;
  /** Returns the `after` of what follows a row. */
  placeOf(row: z.output<Row>, query: Given<F>): string;
  /**
   * Pages of the board by their paths below `/board`, each with the filters that apply unless the query has others. Default: one with the
   * path of the call.
   */
  readonly pages?: Readonly<Record<string, (given: Fields) => Fields>>;
  html(shown: ShownRows<F, z.output<Row>, z.output<Group>>): Page;
}

/** Form of a page of a list. */
const pageForm = <T extends z.ZodType>(item: T) =>
  z.object({
    items: listOf(item),
    next: z.string().nullable().describe('The `after` of the following page; null if there is none.'),
  });

/** Defines a list: one definition for the API, the board, OpenAPI and the command line. */
export function defineList<
  F extends Filters,
  Row extends z.ZodObject,
  Place extends z.ZodType,
  Group extends z.ZodObject = never,
>(list: ListDefinition<F, Row, Place, Group>): View {
  const {
    path,
    summary,
    tag,
    description,
    filters,
    place,
    names,
    row,
    columns,
    parts,
    file = { columns: Object.keys(row.shape), flatten: (it: z.output<Row>): object => it },
    groups,
    read,
    count,
    placeOf,
    pages = { [path]: () => ({}) },
  } = list;
  const forms: z.ZodRawShape = formsOf(filters);
  const query = z.strictObject({
    ...forms,
    ...(groups && { summary: z.enum(['true', 'false']).exactOptional().describe(groups.summary) }),
    after: place.exactOptional().describe('Continues after this place, the `next` of the page before.'),
    limit: limitForm,
  });
  const form = doneQuery.extend({ ...mapped(forms, field), after: place.optional() });
  type Query = Given<F> & { readonly after?: z.output<Place> };

  return {
    call: {
      method: 'GET',
      path,
      id: `list${path.split('/').map(capitalized).join('')}`,
      summary,
      tag,
      description,
      role: 'read',
      query,
      columns,
      answers: { 200: names.page },
      schemas: {
        ...parts,
        [names.row]: row,
        ...(groups && { [groups.name]: groups.row }),
        [names.page]: groups ? z.union([pageForm(row), pageForm(groups.row)]) : pageForm(row),
      },
      async answer(sources, { query: given }) {
        const {
          limit,
          summary: isSummary,
          ...asked
        } = query.parse(given) as Query & { limit: number; summary?: string };
        if (groups && isSummary === 'true') return { items: await groups.read(sources, asked as Query), next: null };
        const rows = await read(sources, asked as Query, limit);
        return { items: rows, next: placeAfter(rows, asked as Query, limit) };
      },
      csv(sources, { query: given }) {
        const { limit, summary: _, ...asked } = query.parse(given) as Query & { limit: number; summary?: string };
        return writeCsv(sources, {
          asked: asked as Query,
          given,
          limit: given.limit === undefined ? undefined : limit,
        });
      },
    },
    pages: Object.entries(pages).flatMap(([path, usual]) => [
      { path, role: 'read', open: openPage(`/board${path}`, usual) },
      { path: `${path}.csv`, role: 'read', open: openFile(`${path.slice(1).replaceAll('/', '-')}.csv`, usual) },
    ]),
  };

  function openFile(name: string, usual: (given: Fields) => Fields) {
    return (sources: BoardSources) =>
      async ({ query: given }: Asked) => {
        const filled = chosen(given, Object.keys(filters));
        const { done: _, ...asked } = form.parse({ ...usual(filled), ...filled });
        const forExcel = given.excel === 'yes';
        return { name, csv: await writeCsv(sources, { asked: asked as Query, given: {}, limit: undefined, forExcel }) };
      };
  }

  /** Writes everything that matches, page by page. */
  function writeCsv(
    sources: Sources,
    {
      asked,
      given,
      limit,
      forExcel,
    }: {
      readonly asked: Query;
      readonly given: Asked['query'];
      readonly limit: number | undefined;
      readonly forExcel?: boolean;
    },
  ) {
    return openCsv({
      columns: file.columns,
      limit,
      forExcel,
      after: given.after as string | undefined,
      async readPage(after, limit) {
        const { after: _, ...filters } = asked;
        const query = { ...filters, ...(after !== undefined && { after: place.parse(after) }) } as Query;
        const rows = await read(sources, query, limit);
        return { rows: rows.map(file.flatten), next: placeAfter(rows, query, limit) };
      },
    });
  }

  function openPage(address: string, usual: (given: Fields) => Fields) {
    return (sources: BoardSources) => {
      const countGroups = sources.share(async () => (groups ? await groups.read(sources, {} as Given<F>) : []));
      return async ({ query: given, views = [] }: Asked, caller: Caller) => {
        const filled = chosen(given, Object.keys(filters));
        const { done, ...asked } = form.parse({ ...given, ...usual(filled), ...filled });
        const rows = await read(sources, asked as Query, ROWS);
        const next = placeAfter(rows, asked as Query, ROWS);
        const isOnly = next === null && asked.after === undefined;
        return livePage(list.html, {
          rows,
          groups: await countGroups(),
          next: next === null ? null : listAddress(address, { ...filled, after: next }),
          csv: listAddress(`${address}.csv`, filled),
          total: isOnly ? { count: rows.length, isMore: false } : await count(sources, asked as Query),
          filters: asked as Given<F>,
          fields: filters,
          given: filled,
          views,
          done: done as Notice | undefined,
          caller,
          address,
        });
      };
    };
  }

  /** A full page may be followed by another. */
  function placeAfter(rows: readonly z.output<Row>[], asked: Query, limit: number): string | null {
    const last = rows.length < limit ? undefined : rows.at(-1);
    return last === undefined ? null : placeOf(last, asked);
  }
}

/** Returns the fields of a form that were filled in. */
const chosen = (given: Asked['query'], names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );

const mapped = (shape: z.ZodRawShape, change: (form: z.ZodType) => z.ZodType): z.ZodRawShape =>
  Object.fromEntries(Object.entries(shape).map(([name, form]) => [name, change(form as z.ZodType)]));
