import { duration } from '../../admin/board/text.ts';
import { cut } from '../../base/text.ts';

/** Null, undefined and an empty text show nothing. */
export type Cell = string | number | boolean | null | undefined;

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
