import type { SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { capitalized } from '../../base/text.ts';
import { type CountedRows, countMatching } from '../../store/bounded-count.ts';
import { type Caller, may } from '../access.ts';
import { listAddress } from '../board/addresses.ts';
import { type Content, html, type Markup } from '../board/html.ts';
import type { Page } from '../board/layout.ts';
import { type Fields, filterForm } from '../board/list-forms.ts';
import { livePage } from '../board/responder.ts';
import { listEnd } from '../board/table.ts';
import type { Asked, Call } from '../call.ts';
import { conditionsOf, type Filters, field, formsOf, type Given, limitForm, mapped, ROWS } from '../queries.ts';
import { commandColumns, fileColumns, type ListColumns, listTable } from './columns.ts';
import { type CsvRows, openCsv } from './csv.ts';
import { type Order, type Place, placeForm, readPage } from './place.ts';
import { type BoardSources, listOf, type Sources, type View } from './view.ts';

export interface ShownRows<F extends Filters, Row, Group = never> {
  readonly rows: readonly Row[];
  readonly groups: readonly Group[];
  readonly next: string | null;
  readonly csv: string;
  readonly total: CountedRows;
  readonly filters: Given<F>;
  readonly fields: F;
  readonly given: Fields;
  readonly caller: Caller;
  readonly address: string;
  readonly now: number;
}

interface Around extends Required<Pick<Page, 'title' | 'section'>> {
  readonly about: Markup;
  readonly chips?: Markup | false;
  readonly empty: Content;
  readonly bulk?: Markup | false;
  readonly below?: Markup;
}

interface Groups<F extends Filters, Group extends z.ZodObject> {
  readonly name: string;
  readonly summary: string;
  readonly row: Group;
  read(sources: Sources, filters: Given<F>): Promise<readonly z.output<Group>[]>;
}

interface ListDefinition<F extends Filters, Row extends z.ZodObject, Stored, Group extends z.ZodObject> {
  readonly path: `/${string}`;
  readonly summary: string;
  readonly tag: Call['tag'];
  readonly description: string;
  readonly filters: F;
  readonly names: { readonly row: string; readonly page: string };
  readonly row: Row;
  readonly columns: ListColumns<z.output<Row>, ShownRows<F, z.output<Row>, z.output<Group>>>;
  idOf?(row: z.output<Row>): string;
  readonly parts?: Readonly<Record<string, z.ZodType>>;
  readonly groups?: Groups<F, Group>;
  /** With what people mean. @throws Problem 400 if it cannot be answered */
  complete?(given: Given<F>): Given<F>;
  select(sources: Pick<Sources, 'reads'>, given: Given<F>): Selected<Stored> | Promise<Selected<Stored>>;
  order(given: Given<F>): Order;
  toRows(sources: Sources, stored: readonly Stored[]): readonly z.output<Row>[] | Promise<readonly z.output<Row>[]>;
  /** Below `/board`, each with the filters that apply unless the query has others. Default: one with the path of the call. */
  readonly pages?: Readonly<Record<string, (given: Fields) => Fields>>;
  page(shown: ShownRows<F, z.output<Row>, z.output<Group>>): Around;
}

// biome-ignore lint/suspicious/noExplicitAny: of whatever tables
type Selected<Stored> = SelectQueryBuilder<any, any, Stored>;

interface ListView<F extends Filters> extends View {
  match(sources: Pick<Sources, 'reads'>, given: Given<F>): Promise<Selected<unknown>>;
  order(given: Given<F>): Order;
}

const pageForm = <T extends z.ZodType>(item: T) =>
  z.object({
    items: listOf(item),
    next: z.string().nullable().describe('The `after` of the following page; null if there is none.'),
  });

/** One definition for the API, the board, OpenAPI and the command line. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its parts share types that only the compiler knows
export function defineList<F extends Filters, Row extends z.ZodObject, Stored, Group extends z.ZodObject = never>(
  list: ListDefinition<F, Row, Stored, Group>,
): ListView<F> {
  const {
    path,
    filters,
    names,
    row,
    columns,
    groups,
    idOf = (it) => String(it.id),
    complete = (given) => given,
    pages = { [path]: () => ({}) },
    ...named
  } = list;
  const { summary, tag, description, parts } = named;
  const hasFields = Object.values(filters).some(({ hasField }) => hasField);
  const forms: z.ZodRawShape = formsOf(filters);
  const query = z.strictObject({
    ...forms,
    ...(groups && { summary: z.enum(['true', 'false']).exactOptional().describe(groups.summary) }),
    after: placeForm.exactOptional().describe('Continues after this place, the `next` of the page before.'),
    limit: limitForm,
  });
  const form = z.object({ ...mapped(forms as Record<string, z.ZodType>, field), after: placeForm.optional() });
  type Query = Given<F> & { readonly after?: Place };
  const parse = (given: unknown) => query.parse(given) as Query & { limit: number; summary?: string };

  return {
    match: (sources, given) => match(sources, complete(given)),
    order: (given) => list.order(complete(given)),
    call: {
      method: 'GET',
      path,
      id: `list${path.split('/').map(capitalized).join('')}`,
      summary,
      tag,
      description,
      role: 'read',
      query,
      columns: commandColumns(row, columns),
      answers: { 200: names.page },
      schemas: {
        ...parts,
        [names.row]: row,
        ...(groups && { [groups.name]: groups.row }),
        [names.page]: groups ? z.union([pageForm(row), pageForm(groups.row)]) : pageForm(row),
      },
      async answer(sources, { query: given }) {
        const { limit, summary: isSummary, ...asked } = parse(given);
        if (groups && isSummary === 'true') return { items: await groups.read(sources, asked as Query), next: null };
        const { rows, next } = await read(sources, asked as Query, limit);
        return { items: rows, next };
      },
      csv(sources, { query: given }) {
        const { limit, summary: _, ...asked } = parse(given);
        const after = given.after as string | undefined;
        return writeCsv(sources, asked as Query, { after, limit: given.limit === undefined ? undefined : limit });
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
        const asked = form.parse({ ...usual(filled), ...filled });
        const how = { after: undefined, limit: undefined, zone: zoneIn(given), forExcel: given.excel === 'yes' };
        return { name, csv: await writeCsv(sources, asked as Query, how) };
      };
  }

  function writeCsv(sources: Sources, asked: Query, how: Omit<CsvRows, 'columns' | 'readPage'>) {
    const cells = fileColumns(row, columns, asked);
    return openCsv({
      ...how,
      columns: Object.keys(cells),
      async readPage(after, limit) {
        const { after: _, ...filters } = asked;
        const query = { ...filters, ...(after !== undefined && { after: placeForm.parse(after) }) } as Query;
        const { rows, next } = await read(sources, query, limit);
        return { rows: rows.map((it) => mapped(cells, (cell) => cell(it))), next };
      },
    });
  }

  function openPage(address: string, usual: (given: Fields) => Fields) {
    return (sources: BoardSources) => {
      const readGroups = async () => (groups ? await groups.read(sources, {} as Given<F>) : []);
      return async ({ query: given }: Asked, caller: Caller) => {
        const filled = chosen(given, Object.keys(filters));
        const asked = form.parse({ ...given, ...usual(filled), ...filled });
        const { rows, next } = await read(sources, asked as Query, ROWS);
        const isOnly = next === null && asked.after === undefined;
        return livePage(showPage, {
          rows,
          groups: await sources.once(readGroups),
          next: next === null ? null : listAddress(address, { ...filled, after: next }),
          csv: listAddress(`${address}.csv`, filled),
          total: isOnly ? { count: rows.length, isMore: false } : await count(sources, asked as Given<F>),
          filters: asked as Given<F>,
          fields: filters,
          given: filled,
          caller,
          address,
        });
      };
    };
  }

  function showPage(shown: Parameters<typeof list.page>[0]): Page {
    const { rows, caller } = shown;
    const { title, section, about, empty, bulk, below, ...page } = list.page(shown);
    const { chips = hasFields && filterForm(shown) } = page;
    return {
      title,
      section,
      content: html`<div class="head"><h1>${title}</h1></div>
${about}
${chips}
${rows.length > 0 && may(caller, 'act') && bulk}
${rows.length === 0 ? html`<p class="empty">${empty}</p>` : listTable(columns, shown, { label: title, rows, idOf })}
${listEnd(shown)}
${below}`,
    };
  }

  async function match(sources: Pick<Sources, 'reads'>, given: Given<F>) {
    const conditions = conditionsOf(filters, given, sources.reads);
    return conditions.reduce((rows, it) => rows.where(it), await list.select(sources, given));
  }

  async function read(sources: Sources, { after, ...given }: Query, limit: number) {
    const query = complete(given as unknown as Given<F>);
    const { rows, next } = await readPage(await match(sources, query), list.order(query), { after, limit });
    return { rows: await list.toRows(sources, rows), next };
  }

  async function count(sources: Sources, given: Given<F>): Promise<CountedRows> {
    return countMatching(sources.reads, (await match(sources, complete(given))).clearSelect());
  }
}

const chosen = (given: Asked['query'], names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );

function zoneIn({ zone }: Asked['query']): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: String(zone) }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
