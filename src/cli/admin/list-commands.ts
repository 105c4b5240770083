import { type Command, Option } from 'commander';
import { z } from 'zod';
import { MOMENT } from '../../admin/queries.ts';
import type { List } from '../../admin/views/list.ts';
import { momentOption } from '../since.ts';
import type { AdminClient } from './client.ts';
import { fitRows } from './fit-rows.ts';
import { type Cell, page, type ShownPage } from './layout.ts';
import { paged, type Query, type Show } from './options.ts';

/** Adds the options of a list: its filters, those of a page, and `--csv`. */
export function filtered(command: Command, { filters, groups }: Pick<List, 'filters' | 'groups'>): Command {
  for (const [name, form] of Object.entries(filters)) command.addOption(optionOf(name, form as z.ZodType));
  if (groups) command.option('--summary', groups.summary);
  return paged(command).option('--csv', 'print all rows as CSV, or the first --limit');
}

function optionOf(name: string, form: z.ZodType): Option {
  const { enum: values, description = `only this ${name}`, format } = z.toJSONSchema(form, { io: 'input' });
  const flag = name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  if (format === MOMENT) return momentOption(flag, description);
  const option = new Option(`--${flag} <${name}>`, description);
  return values ? option.choices(values.map(String)) : option;
}

/** Prints a list: a page as a table or JSON, or all of it as CSV. */
export async function showList(
  { client, show, list, describe = describeList(list) }: ListCommand,
  { csv = false, ...query }: Query & { readonly csv?: boolean },
): Promise<void> {
  if (!csv) return show(await client.get(list.path, query), query.summary ? describePage : describe);
  await show.pass(await client.csv(list.path, query));
}

/** Command that prints a list; by default with the list's columns. */
interface ListCommand {
  readonly client: AdminClient;
  readonly show: Show;
  readonly list: List;
  // biome-ignore lint/suspicious/noExplicitAny: each description declares the answer that it takes
  readonly describe?: (answer: any) => string;
}

/** Formats a page of a list for a terminal of usual width: its columns, with ages for times. */
export const describeList =
  ({ columns }: Pick<List, 'columns'>) =>
  ({ items, next }: ShownPage<Readonly<Record<string, unknown>>>): string =>
    page(
      { items: fitRows(items.map((item) => columns.map((name) => [name, cellOf(item[name])]))), next },
      (row) => row,
    );

/** Formats a page of any list: its members are the columns, without those that are empty in every row. */
export function describePage(answer: ShownPage<object>): string {
  const rows = answer.items.map((row) => Object.entries(row).map(([name, value]) => [name, cellOf(value)] as const));
  const filled = new Set(rows.flat().flatMap(([name, cell]) => (cell === '' || cell === null ? [] : [name])));
  const shown = rows.map((row) => Object.fromEntries(row.filter(([name]) => filled.has(name))));
  return page({ items: shown, next: answer.next }, (row) => row);
}

function cellOf(value: unknown): Cell {
  if (typeof value !== 'object' || value === null) return value as Cell;
  return Object.values(value).join(Array.isArray(value) ? ', ' : ' ');
}
