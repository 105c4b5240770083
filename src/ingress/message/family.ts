import { type Family, families, familyOf } from '../../domain/catalogue/catalogue.ts';
import { isRow } from '../../domain/catalogue/subject.ts';
import { addressOf } from '../../domain/kinds/kind.ts';
import { readId, readText } from '../../domain/wire-values.ts';
import { type Parts, readJson } from './parts.ts';
import { findStockRows, identifyRow } from './stock-rows.ts';

const segments = (pattern: string): RegExp => new RegExp(`(?:^|/)(?:${pattern})(?:/|$)`, 'i');

/** The most specific first. */
const specific = families.toSorted((a, b) => (familyOf(b).specificity ?? 1) - (familyOf(a).specificity ?? 1));

/** Segments of paths and relations. */
const signs = specific.map((family) => [family, segments(familyOf(family).segments)] as const);

/** Families that `resource.rel` and `resource.href` name; if none, the family of the ids in the resource and in `data`. */
export function familiesOf(parts: Parts): readonly Family[] {
  const addressed = [parts.resource('rel'), parts.resource('href')].flatMap((text) => familyIn(readText(text)) ?? []);
  return addressed.length > 0 ? [...new Set(addressed)] : familyOfIds(parts);
}

function familyIn(address = ''): Family | undefined {
  const path = address.replace(/^\w+:\/\/[^/]*/, '').replace(/[?#].*/s, '');
  return signs.find(([, sign]) => sign.test(path))?.[0];
}

function familyOfIds(parts: Parts): readonly Family[] {
  const family = specific.find((one) => (isRow(one) ? hasStock(parts) : findOwnId(one, parts) !== undefined));
  return family ? [family] : [];
}

function hasStock({ resource }: Parts): boolean {
  const body = resource('body');
  return findStockRows(readJson(body)) !== undefined || 'subjectId' in identifyRow(body);
}

/** A field of the resource, of its `readOnly` or of `data`, and the path of `resource.href`. */
interface IdPlaces {
  readonly field: string;
  readonly path: RegExp;
}

/** Paths of lines count only together with their order. */
export const orderOfLine: IdPlaces = { field: 'orderid', path: /(?:^|\/)orders?\/([^/?#]+)\/items\//i };

/** Places of a family's own id; undefined if it has none. */
export const idPlacesOf = (family: Family): IdPlaces | undefined => places.get(family);

const places = new Map(families.map((family) => [family, placesIn(family)]));

function placesIn(family: Family): IdPlaces | undefined {
  const row = familyOf(family);
  const field = row.id?.split('.').at(-1)?.toLowerCase();
  return field === undefined ? undefined : { field, path: addressOf(row) };
}

/** Searched in the resource, the path of `resource.href`, and `data`. */
export function findId({ field, path }: IdPlaces, { body, resource, data }: Parts): string | undefined {
  const href = readText(resource('href')) ?? '';
  return readId(body('readonly', field)) ?? readId(body(field)) ?? readId(path.exec(href)?.[1]) ?? readId(data(field));
}

export function findOwnId(family: Family, parts: Parts): string | undefined {
  const own = idPlacesOf(family);
  return own && findId(own, parts);
}

/** A guess: names of an id that do not say what it is of. */
const ANONYMOUS = ['id', 'transactionid'];

/** Only another part of the message or an alias says what it is of. */
export function findAnonymousId({ body, data }: Parts): string | undefined {
  const places = ANONYMOUS.flatMap((name) => [body('readonly', name), body(name), data(name)]);
  return places.map(readId).find((id) => id !== undefined);
}
