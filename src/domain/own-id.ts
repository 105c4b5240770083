import { isObject, type Reader, readerOf } from '../base/json.ts';
import { isErrorAnswer } from './error-answer.ts';
import { readId, readText } from './wire-values.ts';

export interface OwnPlaces {
  /** Dotted path of its own id, in any case. */
  readonly idPath: string;
  /** Pattern of the path of its own link, whose group is the id. */
  readonly link: RegExp;
  /** The name of its id was never seen, so that one called `id`, or the only one that the record has, is taken for it. */
  readonly isGuessed?: boolean | undefined;
}

/** Reads the id that a record has at a dotted path, or else at the top by the last name of the path. */
export const ownIdAt = (record: unknown, path: string): string | undefined => readId(findAt(readerOf(record), path));

/** Reads what is at a dotted path, or else at the top of the record. */
export function findAt(read: Reader, path: string): unknown {
  const steps = path.toLowerCase().split('.');
  return read(...steps) ?? read(...steps.slice(-1));
}

/** Returns the id by which a record proves which one it is: that of its own kind, or in its own link. Any other id in it proves nothing. */
export function ownIdOf(record: unknown, { idPath, link, isGuessed }: OwnPlaces): string | undefined {
  const read = readerOf(record);
  const plain = isGuessed ? (readId(read('readonly', 'id') ?? read('id')) ?? onlyIdIn(record)) : undefined;
  const path = (readText(read('_links', 'self', 'href')) ?? '').replace(/^\w+:\/\/[^/]*/, '');
  return ownIdAt(record, idPath) ?? plain ?? readId(link.exec(path)?.[1]);
}

/** Returns the id that a record has, whatever its name, if it has no other. */
function onlyIdIn(record: unknown): string | undefined {
  const places = [record, readerOf(record)('readonly')].filter(isObject);
  const ids = places.flatMap((place) =>
    Object.entries(place).flatMap(([name, value]) => (/id$/i.test(name) ? (readId(value) ?? []) : [])),
  );
  return ids.length === 1 ? ids[0] : undefined;
}

/** Reports whether a record is the one with that id ({@link ownIdOf}), and no error. */
export const isRecordOf = (record: unknown, { id, ...places }: OwnPlaces & { readonly id: string }): boolean =>
  isSameId(ownIdOf(record, places), id) && !isErrorAnswer(record);

/** Compares ids; GUIDs are written in either case. */
export const isSameId = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
