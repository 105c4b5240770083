import { formatTable } from '../../base/text-table.ts';
import { clean, hang } from '../output.ts';
import { type Cell, fitRows } from './fit-rows.ts';

/** `next` is the `after` of the following page. */
export interface ShownPage<T> {
  readonly items: readonly T[];
  readonly next?: string | null;
}

export const NOTHING = 'Nothing.';

type Row = Readonly<Record<string, unknown>>;

const plain = (cell: Cell): string => clean(String(cell ?? '')).replace(/\s+/g, ' ');

export function table(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const [first] = rows;
  if (!first) return NOTHING;
  return formatTable([Object.keys(first), ...rows.map((row) => Object.values(row).map(plain))]);
}

export const facts = (pairs: readonly (readonly [name: string, value: Cell])[]): string => {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  const columns = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${hang(plain(value), columns, width + 2)}`).join('\n');
};

/** With `columns`, or in a terminal, fits the width; otherwise shows every column that is filled. */
export function page({ items, next = null }: ShownPage<object>, columns?: readonly string[]): string {
  const isTerminal = process.stdout.columns !== undefined;
  const shown = table(
    columns || isTerminal ? fitRows(items.map((row) => pick(row as Row, columns ?? Object.keys(row)))) : filled(items),
  );
  return next === null ? shown : `${shown}\n\nMore: --after '${next}'`;
}

const pick = (row: Row, columns: readonly string[]) => columns.map((name) => [name, cellOf(row[name])] as const);

function filled(items: readonly object[]) {
  const rows = items.map((row) => Object.entries(row).map(([name, value]) => [name, cellOf(value)] as const));
  const names = new Set(rows.flat().flatMap(([name, cell]) => (cell === '' || cell === null ? [] : [name])));
  return rows.map((row) => Object.fromEntries(row.filter(([name]) => names.has(name))));
}

/** A list by its elements, an object by its values. */
function cellOf(value: unknown): Cell {
  if (typeof value !== 'object' || value === null) return value as Cell;
  return Object.values(value)
    .map(cellOf)
    .join(Array.isArray(value) ? ', ' : ' ');
}

/** Its members, then its lists as tables, and at the end a body. */
export function describeAnswer(answer: object): string {
  const { body, encoding, ...members } = answer as Row;
  const entries = Object.entries(members);
  const parts = [
    facts(entries.flatMap(([name, value]) => (isTable(value) ? [] : [[name, factOf(value)] as const]))),
    ...entries.flatMap(([name, value]) => (isTable(value) ? [`${titleOf(name)}\n${listed(value)}`] : [])),
    ...('body' in answer ? [textOf(body as string | null, encoding as string)] : []),
  ];
  return parts.filter((part) => part !== '').join('\n\n') || NOTHING;
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null;

const isTable = (value: unknown): value is readonly object[] => Array.isArray(value) && value.some(isObject);

function factOf(value: unknown): Cell {
  if (!isObject(value) || Array.isArray(value)) return cellOf(value);
  const known = Object.entries(value).filter(([, it]) => it !== null && cellOf(it) !== '');
  return known.map(([name, it]) => `${name}: ${cellOf(it)}`).join(', ');
}

/** One after the other if any has several lines of text, or members of its own. */
function listed(rows: readonly object[]): string {
  const isWide = rows.some((row) =>
    Object.values(row).some((it) => (isObject(it) && !Array.isArray(it)) || /\n/.test(it)),
  );
  if (!isWide) return page({ items: rows });
  return rows.map((row) => facts(Object.entries(row).map(([name, value]) => [name, factOf(value)]))).join('\n\n');
}

/** `lastAttempts` becomes `Last attempts`. */
export const titleOf = (name: string): string =>
  name
    .replace(/^./, (first) => first.toUpperCase())
    .replaceAll(/[A-Z]/g, (it, at) => (at ? ` ${it.toLowerCase()}` : it));

function textOf(body: string | null, encoding: string): string {
  if (body === null) return 'The body has been purged.';
  return `${encoding === 'base64' ? 'In base64:\n' : ''}${clean(body)}`;
}
