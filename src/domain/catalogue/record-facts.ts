import { isObject, readerOf } from '../json.ts';
import type { Snapshot, StockLevels } from '../lifecycle/snapshot.ts';
import { cut } from '../text.ts';
import { readText } from '../wire-values.ts';
import { linesIn } from './rows.ts';
import type { SubjectRef } from './subject.ts';

/** Facts of a record for lists and search. None of them decides anything. */
export interface RecordFacts {
  readonly poNumber?: string;
  readonly externalId?: string;
  readonly carrier?: string;
  /** The carrier's service, which the warehouse calls `mode`. */
  readonly service?: string;
  readonly trackingNumbers?: readonly string[];
  readonly skus?: readonly string[];
  readonly customerName?: string;
  /** Stock as last heard. */
  readonly levels?: StockLevels;
}

/** Facts of the record itself; the customer's name and the stock are in its snapshot. */
export type OwnFacts = Omit<RecordFacts, 'customerName' | 'levels'>;

/** Numbers and SKUs of a record that are kept, and characters of each text. */
const MOST_NUMBERS = 20;
const MOST_SKUS = 50;
const TEXT_LIMIT = 200;

/** Reads the facts of a record of any kind. */
export function readFacts(record: unknown): OwnFacts {
  const read = readerOf(record);
  const packages = read('readonly', 'packages') ?? read('packages');
  const numbers = [
    read('routinginfo', 'trackingnumber'),
    read('trackingnumber'),
    ...eachOf(packages, 'trackingnumber'),
  ];
  const skus = (linesIn(record) ?? []).map((line) => readerOf(line)('itemidentifier', 'sku'));
  return withoutEmpty({
    poNumber: textIn(read('ponum')),
    externalId: textIn(read('externalid')),
    carrier: textIn(read('routinginfo', 'carrier')),
    service: textIn(read('routinginfo', 'mode')),
    trackingNumbers: textsIn(numbers, MOST_NUMBERS),
    skus: textsIn(skus, MOST_SKUS),
  });
}

/** Completes facts by those of a snapshot. Where a record was not fetched again, what was known of it stays. */
export const completeFacts = (own: RecordFacts, { customerName, levels }: Snapshot = {}): RecordFacts =>
  withoutEmpty({
    ...own,
    customerName: textIn(customerName) ?? own.customerName,
    levels: levels ?? own.levels,
  });

const eachOf = (list: unknown, name: string): readonly unknown[] =>
  Array.isArray(list) ? list.filter(isObject).map((one) => readerOf(one)(name)) : [];

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

/** Writes a text as it is searched for: without regard to case, width and blanks. */
export const foldTerm = (text: string): string =>
  cut(text.normalize('NFKC').toLowerCase().replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim(), TERM_LIMIT);

/** Returns the terms whose beginnings find a subject. */
export function termsOf({ id }: SubjectRef, facts: RecordFacts, referenceNumber?: string): readonly string[] {
  const { poNumber, externalId, trackingNumbers = [], skus = [], customerName } = facts;
  const texts = [id, referenceNumber, poNumber, externalId, customerName, ...trackingNumbers, ...skus];
  const terms = texts.flatMap((text) => (text === undefined ? [] : foldTerm(text)));
  return [...new Set(terms)].filter((term) => term !== '');
}
