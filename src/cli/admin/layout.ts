import { duration } from '../../admin/board/text.ts';
import { cut, formatTable, titled } from '../../base/text.ts';
import { clean, hang } from '../output.ts';

export interface Show {
  /** Prints JSON with `--json`, otherwise what `describe` returns. */
  // biome-ignore lint/suspicious/noExplicitAny: each description declares the answer that it takes
  (answer: any, describe: (answer: any) => string): void;
  pass(bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Null, undefined and an empty text show nothing. */
type Cell = string | number | boolean | null | undefined;

type Named = readonly (readonly [name: string, cell: Cell])[];

/** Outside a terminal. */
const WIDTH = 120;

const GAP = 2;
const NARROW = 24;

/** Ages for times, no empty columns, long texts cut, and no more columns than have room. Ids stay whole. */
export function fitRows(
  rows: readonly Named[],
  { now = Date.now(), columns = process.stdout.columns ?? WIDTH } = {},
): readonly Readonly<Record<string, string>>[] {
  const shown = rows.map((row) => row.map(([name, cell]) => [name, ageOf(cell, now)] as const));
  const names = (shown[0] ?? []).flatMap(([name], index) =>
    shown.some((row) => row[index]?.[1] !== '') ? [name] : [],
  );
  const texts = shown.map((row) => Object.fromEntries(row));
  const widths = narrowed(
    names.map((name) => [
      name,
      Math.max(...[name, ...texts.map((row) => row[name] ?? '')].map(({ length }) => length)),
    ]),
    columns,
  );
  return texts.map((row) =>
    Object.fromEntries(widths.map(([name, width]) => [name, shortened(row[name] ?? '', width)])),
  );
}

type Width = readonly [name: string, width: number];

/** Narrows the widest column first, and gives up the last ones if need be. */
function narrowed(widths: readonly Width[], columns: number): readonly Width[] {
  const excess = widths.reduce((sum, [, width]) => sum + width + GAP, -GAP) - columns;
  if (excess <= 0 || widths.length === 1) return widths;
  const least = (name: string) => Math.max(columns < WIDTH ? NARROW / 2 : NARROW, name.length);
  const cuttable = widths.filter(([name, width]) => !isId(name) && width > least(name));
  const widest = cuttable.toSorted(([, a], [, b]) => b - a)[0];
  if (!widest) return narrowed(widths.slice(0, -1), columns);
  const [name, width] = widest;
  const less = Math.max(least(name), width - excess);
  return narrowed(
    widths.map((it) => (it === widest ? [name, less] : it)),
    columns,
  );
}

const isId = (name: string): boolean => /^(id|eventId)$/.test(name);

/** Cuts the middle out: an error begins with what was tried and ends with what came of it. */
function shortened(text: string, width: number): string {
  if (text.length <= width) return text;
  const half = Math.floor((width - 1) / 2);
  return `${cut(text, width - 1 - half)}…${text.slice(-half).replace(/^[\udc00-\udfff]/, '')}`;
}

function ageOf(cell: Cell, now: number): string {
  const text = String(cell ?? '').replace(/\s+/g, ' ');
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return text;
  const ms = now - Date.parse(text);
  return ms < 0 ? `in ${duration(-ms)}` : `${duration(ms)} ago`;
}

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
    ...entries.flatMap(([name, value]) => (isTable(value) ? [`${titled(name)}\n${listed(value)}`] : [])),
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
function textOf(body: string | null, encoding: string): string {
  if (body === null) return 'The body has been purged.';
  return `${encoding === 'base64' ? 'In base64:\n' : ''}${clean(body)}`;
}
