import { z } from 'zod';
import { isObject, type Reader, readerOf } from '../../base/json.ts';
import { cut } from '../../base/text.ts';
import { type Exact, listedFacts, type Snapshot } from '../lifecycle/snapshot.ts';
import { readId, readText } from '../wire-values.ts';
import { linesIn, rowsOf } from './rows.ts';
import type { SubjectRef } from './subject.ts';

const text = z.string().optional();
const texts = z.array(z.string()).readonly().optional();

/** Form of the facts of a record itself. */
const ownFacts = z.object({
  poNumber: text,
  externalId: text,
  carrier: text,
  service: text.describe("The carrier's service, which the warehouse calls `mode`."),
  trackingNumbers: texts,
  skus: texts,
});

/** Form of the facts of a record for lists and search, with those of its snapshot. None of them decides anything. */
export const recordFacts = ownFacts.extend(listedFacts.shape);

/** Facts of a record for lists and search. */
export type RecordFacts = Exact<z.output<typeof recordFacts>>;

/** Facts of the record itself. */
export type OwnFacts = Exact<z.output<typeof ownFacts>>;

/** Numbers and SKUs of a record that are kept, and characters of each text. */
const MOST_NUMBERS = 20;
const MOST_SKUS = 50;
const TEXT_LIMIT = 200;

/** Reads the facts of a record of any kind. */
export function readFacts(record: unknown): OwnFacts {
  const read = readerOf(record);
  const { carrier, service } = readRouting(read);
  const skus = (linesIn(record) ?? []).map((line) => readerOf(line)('itemidentifier', 'sku'));
  return withoutEmpty({
    poNumber: textIn(read('ponum')),
    externalId: textIn(read('externalid')),
    carrier: textIn(carrier),
    service: textIn(service),
    trackingNumbers: textsIn(trackingNumbersIn(record), MOST_NUMBERS),
    skus: textsIn(skus, MOST_SKUS),
  });
}

/** Reads the carrier of a record, and its service. */
export const readRouting = (
  read: Reader,
): { readonly carrier: string | undefined; readonly service: string | undefined } => ({
  carrier: readText(read('routinginfo', 'carrier')),
  service: readText(read('routinginfo', 'mode')),
});

/** Completes facts by those of a snapshot. Where a record was not fetched again, what was known of it stays. */
export function completeFacts(own: RecordFacts, snapshot: Snapshot = {}): RecordFacts {
  const listed = Object.entries(snapshot).filter(([name]) => name in listedFacts.shape);
  const known = listed.map(([name, fact]) => [name, typeof fact === 'string' ? textIn(fact) : fact] as const);
  return withoutEmpty({ ...own, ...Object.fromEntries(known.filter(([, fact]) => fact !== undefined)) });
}

/** Relation of the packages that an order embeds. */
const PACKAGES = /packages?$/i;

/** Reads the tracking numbers of a record: its own, those of its packages, and those of the carrier's response. */
function trackingNumbersIn(record: unknown): readonly unknown[] {
  const read = readerOf(record);
  const beside = (...path: readonly string[]) => [read(...path), read('readonly', ...path)];
  const packages = [...beside('packages'), rowsOf({ _embedded: read('_embedded') }, PACKAGES)].flatMap(listOf);
  const places = [
    read('routinginfo', 'trackingnumber'),
    ...beside('trackingnumber'),
    ...packages.filter(isObject).map(numberOf),
    ...beside('parcelresponse', 'trackingnumber'),
    ...beside('parcelresponse', 'trackingnumbers').flatMap(listOf).map(numberOf),
  ];
  return places.flatMap((value) => readText(value)?.split(/[,;|\n]/) ?? []).map(readId);
}

/** Returns the elements of a list, or of one in the form that has a `ResourceList`. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : (rowsOf(value) ?? []));

/** Returns the tracking number of a package, or a number itself. */
const numberOf = (one: unknown): unknown => (isObject(one) ? readerOf(one)('trackingnumber') : one);

function textIn(value: unknown): string | undefined {
  const text = readText(value);
  return text === undefined ? undefined : cut(text.toWellFormed(), TEXT_LIMIT);
}

const textsIn = (values: readonly unknown[], most: number): readonly string[] =>
  [...new Set(values.map(textIn).filter((text) => text !== undefined))].slice(0, most);

const withoutEmpty = (facts: { readonly [F in keyof RecordFacts]: RecordFacts[F] | undefined }): RecordFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined && (fact as string).length !== 0));

/** Characters of a term. */
const TERM_LIMIT = 100;

/** Accents, and characters that nobody sees. */
const UNSEEN = /[\u0300-\u036f\p{Default_Ignorable_Code_Point}\0]/gu;

/**
 * Writes a text as it is searched for: without regard to case, width, accents and blanks. Capitals stand for more letters than small ones do, so
 * that every letter goes through its own: `ß` and `ẞ` are `ss`, and `ı` and `İ` are `i`.
 */
export function foldTerm(text: string): string {
  const small = text.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  const seen = small.normalize('NFKD').replaceAll(UNSEEN, '').normalize('NFC');
  return cut(seen.replaceAll(/\s+/g, ' ').trim(), TERM_LIMIT);
}

/** Last digits of an id, as people read them out: few say less than four. */
export const ENDING = /^\d{4,}$/;

/** Returns the term that begins with the last digits of an id. No other term begins like it. */
export const backwards = (id: string): string => `<${[...id].reverse().join('')}`;

/** Returns the terms whose beginnings find a subject: also each word of its customer's name, and its id from the end. */
export function termsOf({ id }: SubjectRef, facts: RecordFacts, referenceNumber?: string): readonly string[] {
  const { poNumber, externalId, trackingNumbers = [], skus = [], customerName } = facts;
  const texts = [id, referenceNumber, poNumber, externalId, customerName, ...trackingNumbers, ...skus];
  const [, ...words] =
    customerName === undefined
      ? []
      : foldTerm(customerName)
          .split(' ')
          .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const ending = ENDING.test(id) ? [backwards(id)] : [];
  const terms = [...texts.flatMap((text) => (text === undefined ? [] : foldTerm(text))), ...words, ...ending];
  return [...new Set(terms)].filter((term) => term !== '');
}
