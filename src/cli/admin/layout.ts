import { clean, formatTable } from '../output.ts';

/** Page of a list; `next` is the `after` of the following page. */
export interface ShownPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Value of a table or a fact; nothing is shown for null, undefined and an empty text. */
export type Cell = string | number | null | undefined;

const cellOf = (cell: Cell): string => clean(String(cell ?? '')).replace(/\s+/g, ' ');

/** Formats rows whose names are the heading. */
export function table(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const [first] = rows;
  if (!first) return 'Nothing.';
  return formatTable([Object.keys(first), ...rows.map((row) => Object.values(row).map(cellOf))]);
}

/** Formats a part of a list, with the option that shows what follows. */
export function page<T>({ items, next }: ShownPage<T>, rowOf: (item: T) => Readonly<Record<string, Cell>>): string {
  const shown = table(items.map(rowOf));
  return next === null ? shown : `${shown}\n\nMore: --after '${next}'`;
}

/** Formats named values below each other; those without a value are left out. */
export const facts = (pairs: readonly (readonly [name: string, value: Cell])[]): string => {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}`).join('\n');
};
