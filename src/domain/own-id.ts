import { isObject, type Reader, readerOf } from '../base/json.ts';
import { isErrorAnswer } from './error-answer.ts';
import { readId, readText } from './wire-values.ts';

export interface OwnPlaces {
  /** Dotted path, in any case. */
  readonly idPath: string;
  /** Path of its own link; the group is the id. */
  readonly link: RegExp;
  /** The name was never seen: one called `id`, or the only one, is taken for it. */
  readonly isGuessed?: boolean | undefined;
}

/** Or else at the top by the last name of the path. */
export const ownIdAt = (record: unknown, path: string): string | undefined => readId(findAt(readerOf(record), path));

/** Or else at the top. */
export function findAt(read: Reader, path: string): unknown {
  const steps = path.toLowerCase().split('.');
  return read(...steps) ?? read(...steps.slice(-1));
}

/** Its own kind's id, or the one in its own link, proves which record it is. Any other id proves nothing. */
export function ownIdOf(record: unknown, { idPath, link, isGuessed }: OwnPlaces): string | undefined {
  const read = readerOf(record);
  const plain = isGuessed ? (readId(read('readonly', 'id') ?? read('id')) ?? onlyIdIn(record)) : undefined;
  const path = (readText(read('_links', 'self', 'href')) ?? '').replace(/^\w+:\/\/[^/]*/, '');
  return ownIdAt(record, idPath) ?? plain ?? readId(link.exec(path)?.[1]);
}

function onlyIdIn(record: unknown): string | undefined {
  const places = [record, readerOf(record)('readonly')].filter(isObject);
  const ids = places.flatMap((place) =>
    Object.entries(place).flatMap(([name, value]) => (/id$/i.test(name) ? (readId(value) ?? []) : [])),
  );
  return ids.length === 1 ? ids[0] : undefined;
}

export const isRecordOf = (record: unknown, { id, ...places }: OwnPlaces & { readonly id: string }): boolean =>
  isSameId(ownIdOf(record, places), id) && !isErrorAnswer(record);

/** GUIDs are written in either case. */
export const isSameId = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
