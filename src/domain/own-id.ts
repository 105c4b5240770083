import { isObject, type Reader, readerOf } from './json.ts';
import { readId, readText } from './wire-values.ts';

/** Id by which a record is known, and the dotted path at which its kind has it, in any case. */
interface KnownId {
  readonly id: string;
  readonly idPath: string;
}

/** Reads the id that a record has at a dotted path, or else at the top by the last name of the path. */
export const ownIdAt = (record: unknown, path: string): string | undefined => readId(findAt(readerOf(record), path));

/** Reads what is at a dotted path, or else at the top of the record. */
export function findAt(read: Reader, path: string): unknown {
  const steps = path.toLowerCase().split('.');
  return read(...steps) ?? read(...steps.slice(-1));
}

/**
 * Reports whether a record is the one with that id: by its own id, or else, in a form that does not name the id so, by any id beside it or by
 * its own link.
 */
export function isRecordOf(record: unknown, { id, idPath }: KnownId): boolean {
  const own = ownIdAt(record, idPath);
  return own === undefined ? namesId(record, id) : isSameId(own, id);
}

/** Compares ids; GUIDs are written in either case. */
export const isSameId = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

function namesId(record: unknown, id: string): boolean {
  const read = readerOf(record);
  const places = [record, read('readonly')].filter(isObject);
  const ids = places.flatMap((place) => Object.entries(place).filter(([name]) => /id$/i.test(name)));
  return (
    ids.some(([, value]) => isSameId(readId(value), id)) || isSameId(lastSegment(read('_links', 'self', 'href')), id)
  );
}

function lastSegment(href: unknown): string {
  const path = (readText(href) ?? '').replace(/[?#{].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}
