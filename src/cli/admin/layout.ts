import { duration, shorten } from '../../admin/board/text.ts';
import { isObject } from '../../base/json.ts';
import { formatTable, titled } from '../../base/text.ts';
import { clean, hang } from '../output.ts';

export interface Show {
  /** Prints JSON with `--json`, otherwise what `describe` returns. */
  // biome-ignore lint/suspicious/noExplicitAny: each description declares the answer that it takes
  (answer: any, describe: (answer: any) => string): void;
  pass(bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;

export const NOTHING = 'Nothing.';

const WIDTH = 120;

/** A longer text of a list is cut. */
const LONGEST = 43;

const isTable = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.some(isObject);

/** A number whose name ends in `Ms` is a duration. */
function textOf(value: unknown, name = ''): string {
  if (typeof value === 'number' && name.endsWith('Ms')) return duration(value);
  if (Array.isArray(value)) return value.map((one) => textOf(one)).join(', ');
  if (!isObject(value)) return clean(String(value ?? ''));
  return filled(value)
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ');
}

const filled = (row: Row) =>
  Object.entries(row)
    .map(([name, value]) => [name, textOf(value, name)] as const)
    .filter(([, text]) => text !== '');

function factsOf(row: Row): string {
  const shown = filled(row);
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  const columns = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  return shown.map(([name, text]) => `${name.padEnd(width)}${hang(text, columns, width)}`).join('\n');
}

function tableOf(rows: readonly Row[], names: readonly string[], show = textOf): string {
  return formatTable([names, ...rows.map((row) => names.map((name) => show(row[name], name).replace(/\s+/g, ' ')))]);
}

const fits = (text: string, columns = process.stdout.columns ?? WIDTH): boolean =>
  text.split('\n').every((line) => line.length <= columns);

/** A table if it fits and every text is a line, else one after the other. */
function rowsOf(rows: readonly Row[]): string {
  const names = new Set(rows.flatMap(filled).map(([name]) => name));
  const table = tableOf(rows, [...names]);
  const isPlain = !rows.some((row) => filled(row).some(([, text]) => text.includes('\n')));
  return isPlain && fits(table) ? table : rows.map(factsOf).join('\n\n');
}

/** `next` is the `after` of the following page. */
export interface ShownPage {
  readonly items: readonly Row[];
  readonly next?: string | null;
}

/** With `columns` as many as there is room for, the first ones first, with ages for times. */
export function page({ items, next = null }: ShownPage, columns?: readonly string[]): string {
  const shown = items.length === 0 ? NOTHING : columns ? listOf(items, columns) : rowsOf(items);
  return next === null ? shown : `${shown}\n\nMore: --after '${next}'`;
}

function listOf(rows: readonly Row[], columns: readonly string[]): string {
  const names = columns.filter((name) => rows.some((row) => textOf(row[name]) !== ''));
  const table = tableOf(rows, names, cellOf);
  return fits(table) || names.length === 1 ? table : listOf(rows, names.slice(0, -1));
}

function cellOf(value: unknown, name = ''): string {
  const text = isObject(value)
    ? Object.values(value)
        .map((one) => textOf(one))
        .join(' ')
    : textOf(value, name);
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return shorten(text, LONGEST);
  const ms = Date.now() - Date.parse(text);
  return ms < 0 ? `in ${duration(-ms)}` : `${duration(ms)} ago`;
}

/** Its members, then all lists in it, and at the end a body. */
export function describeAnswer(answer: object): string {
  const { body, encoding, ...members } = answer as Row;
  const lists: string[] = [];
  const withoutLists = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) => {
        if (isTable(value)) lists.push(`${titled(name)}\n${rowsOf(value)}`);
        return isTable(value) ? [] : [[name, isObject(value) ? withoutLists(value) : value]];
      }),
    );
  const facts = factsOf(withoutLists(members));
  const shown = [facts, ...lists, ...('body' in answer ? [bodyOf(body as string | null, encoding)] : [])];
  return shown.filter(Boolean).join('\n\n') || NOTHING;
}

function bodyOf(body: string | null, encoding: unknown): string {
  if (body === null) return 'The body has been purged.';
  return `${encoding === 'base64' ? 'In base64:\n' : ''}${clean(body)}`;
}
