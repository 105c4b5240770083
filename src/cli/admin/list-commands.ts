import { type Command, Option } from 'commander';
import { z } from 'zod';
import type { List } from '../../admin/views/list.ts';
import { lists } from '../../admin/views/lists.ts';
import type { AdminClient } from './client.ts';
import { type Cell, page } from './layout.ts';
import { paged, type Query, type Show } from './options.ts';

/** Adds a command for each list, with an option for each of its filters. */
export function addListCommands(admin: Command, client: AdminClient, show: Show): void {
  for (const { path, summary, filters } of lists) {
    const command = paged(admin.command(path.slice(1)).description(summary.replace(/^Lists/, 'list')));
    for (const [name, form] of Object.entries(filters)) command.addOption(optionOf(name, form as z.ZodType));
    command.action(async (query: Query) => show(await client.get(path, query), describePage));
  }
}

function optionOf(name: string, form: z.ZodType): Option {
  const { enum: values, description } = z.toJSONSchema(form, { io: 'input' });
  const option = new Option(`--${name} <${name}>`, description ?? `only this ${name}`);
  return values ? option.choices(values.map(String)) : option;
}

type Answer = Awaited<ReturnType<List['answer']>>;

/** Formats a page of any list: its members are the columns. */
const describePage = (answer: Answer): string =>
  page(answer, (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)])));

function cellOf(value: unknown): Cell {
  if (typeof value !== 'object' || value === null) return value as Cell;
  return Object.values(value).join(Array.isArray(value) ? ', ' : ' ');
}
