import { isObject, type Reader, readerOf } from '../base/json.ts';
import { readId, readText } from './wire-values.ts';

const ERROR =
  /error|exception|(?<!de)fault|failure|problem|^(?:code|details?|hint|messages?|msg|reason|stack(?:trace)?|success|title)$/i;

/** Members of records of any kind. An error, too, may quote an id, a reference number and a status. */
const OWN = `
  allocations billing carrier companyinfo creationdate customeridentifier defernotification email
  facilityidentifier firstname fullyallocated isclosed itemidentifier lastmodifieddate lastname login packdonedate
  packstarted pickdonedate primarycontact primaryfacilityidentifier qty qualifier routinginfo savedelements shipto
  sku username _embedded`
  .trim()
  .split(/\s+/);

export function isErrorAnswer(value: unknown): boolean {
  const read = readerOf(value);
  const places = [value, read('readonly')].filter(isObject);
  const isError = places.some((place) => Object.entries(place).some(isOfError));
  return isError && !OWN.some((name) => says(read('readonly', name) ?? read(name)));
}

const isOfError = ([name, value]: readonly [string, unknown]): boolean =>
  (ERROR.test(name) && says(value)) || (name === '$type' && ERROR.test(readText(value) ?? ''));

/** Records may have an empty list of errors. */
const says = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== '' && value !== 0;

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
