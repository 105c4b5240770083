import { type Command, Option } from 'commander';
import { z } from 'zod';
import type { List } from '../../admin/views/list.ts';
import { sinceOption } from '../since.ts';
import { type Cell, page, type ShownPage } from './layout.ts';
import { paged } from './options.ts';

/** Adds the options of a list: its filters, and those of a page. */
export function filtered(command: Command, { filters, groups }: Pick<List, 'filters' | 'groups'>): Command {
  for (const [name, form] of Object.entries(filters)) command.addOption(optionOf(name, form as z.ZodType));
  if (groups) command.option('--summary', groups.summary);
  return paged(command);
}

function optionOf(name: string, form: z.ZodType): Option {
  const { enum: values, description = `only this ${name}` } = z.toJSONSchema(form, { io: 'input' });
  if (name === 'since') return sinceOption(description);
  const option = new Option(`--${name} <${name}>`, description);
  return values ? option.choices(values.map(String)) : option;
}

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
