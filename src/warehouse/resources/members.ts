import type { Reader } from '../../domain/catalogue/stock-summary.ts';

/** Reads members of an object of the wire by names in lower case, however they are written. */
export function readerOf(value: unknown): Reader {
  return (...path) => path.reduce(memberOf, value);
}

/** The rows of a page, or of a list within a resource: under `_embedded` as HAL has it, or in a `ResourceList`. */
export function rowsOf(value: unknown): readonly unknown[] | undefined {
  const embedded = Object.values(memberOf(value, '_embedded') ?? {});
  return [...embedded, memberOf(value, 'resourcelist')].find((rows): rows is unknown[] => Array.isArray(rows));
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1];
}
