import type { z } from 'zod';
import { titled } from '../../base/text.ts';
import type { Content, Markup } from '../board/html.ts';
import { type Kind, table } from '../board/table.ts';
import { ago, number, untrusted } from '../board/text.ts';
import { memberOf } from './csv.ts';

/** On the page with `as` or a `cell`; in the file as a member of the row or with a `text`; in the command as a member. */
interface ListColumn<Row, Around> {
  readonly head?: string;
  title?(around: Around): string;
  readonly as?: Kind;
  cell?(row: Row, around: Around): Content;
  text?(row: Row): unknown;
  /** In the file of rows that these filters find. Default: in every one. */
  isOf?(filters: Readonly<Record<string, unknown>>): boolean;
}

/** By name, the first ones first where there is no room for all. Other members are in the file, but for those that are false. */
export type ListColumns<Row, Around> = Readonly<Record<string, ListColumn<Row, Around> | false>>;

const headOf = (name: string, { head = titled(name) }: { readonly head?: string }): string => head;

export const listTable = <Row extends object, Around extends { readonly now: number }>(
  columns: ListColumns<Row, Around>,
  around: Around,
  shown: { readonly label: string; readonly rows: readonly Row[]; idOf?(row: Row): string },
): Markup =>
  table({
    ...shown,
    columns: Object.fromEntries(
      Object.entries(columns).map(([name, column]) => {
        if (column === false || (column.as ?? column.cell) === undefined) return [name, false];
        const { as, text = (row) => memberOf(row, name), cell = (row) => show(text(row), around.now) } = column;
        return [column.title?.(around) ?? headOf(name, column), { as, cell: (row: Row) => cell(row, around) }];
      }),
    ),
  });

function show(value: unknown, now: number): Content {
  if (value instanceof Date) return ago(value, now);
  if (typeof value === 'number') return number(value);
  return value != null && untrusted(String(value), 60);
}

export const commandColumns = ({ shape }: z.ZodObject, columns: ListColumns<never, never>): readonly string[] =>
  Object.keys(columns).filter((name) => name in shape && columns[name] !== false);

export const fileColumns = <Row extends object>(
  { shape }: z.ZodObject,
  columns: ListColumns<Row, never>,
  filters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, (row: Row) => unknown>> =>
  Object.fromEntries(
    [...new Set([...Object.keys(columns), ...Object.keys(shape)])].flatMap((name) => {
      const column = columns[name] ?? {};
      if (column === false || !(column.text || name in shape) || column.isOf?.(filters) === false) return [];
      return [[headOf(name, column), column.text ?? ((row: Row) => memberOf(row, name))]];
    }),
  );
