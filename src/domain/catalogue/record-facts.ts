import { z } from 'zod';
import { cut } from '../../base/text.ts';
import { type Advice, advicePlaces, readAdvice } from '../kinds/advice.ts';
import type { Places } from '../kinds/section.ts';
import { type Exact, listedFacts, type Snapshot } from '../lifecycle/snapshot.ts';
import { readShortText } from '../wire-values.ts';
import type { SubjectKind, SubjectRef } from './subject.ts';

const text = z.string().optional();
const texts = z.array(z.string()).readonly().optional();

const ownFacts = z.object({
  poNumber: text,
  externalId: text,
  carrier: text,
  service: text.describe("The carrier's service, which the warehouse calls `mode`."),
  trackingNumbers: texts,
  skus: texts,
  city: text.describe('Where it is shipped to.'),
});

/** For lists and search. None of them decides anything. */
export const recordFacts = ownFacts.extend(listedFacts.shape);

export type RecordFacts = Exact<z.output<typeof recordFacts>>;

export type OwnFacts = Exact<z.output<typeof ownFacts>>;

/** Of each record, and characters of each text. */
const MOST_TEXTS = 1000;
const TEXT_LIMIT = 200;

type Searched = Advice<'order'> & Advice<'receipt'> & Advice<'assembly'> & Advice<'item'>;

export function readFacts(kind: SubjectKind, record: unknown, places: Places = advicePlaces): OwnFacts {
  const advice = readAdvice(kind, record, places) as Searched;
  const { poNumber, externalId, carrier, service, trackingNumber, trackingNumbers = [trackingNumber] } = advice;
  const goods = [advice, ...(advice.lines ?? []), advice.product, ...(advice.components ?? [])];
  return withoutEmpty({
    poNumber: textIn(poNumber),
    externalId: textIn(externalId),
    carrier: textIn(carrier?.name),
    service: textIn(service),
    trackingNumbers: textsIn(trackingNumbers),
    skus: textsIn(goods.map((one) => one?.sku)),
    city: textIn(advice.shipTo?.city),
  });
}

export function completeFacts(own: RecordFacts, snapshot: Snapshot = {}): RecordFacts {
  const listed = Object.entries(snapshot).filter(([name]) => name in listedFacts.shape);
  const known = listed.map(([name, fact]) => [name, typeof fact === 'string' ? textIn(fact) : fact] as const);
  return withoutEmpty({ ...own, ...Object.fromEntries(known.filter(([, fact]) => fact !== undefined)) });
}

const textIn = (value: unknown): string | undefined => readShortText(value, TEXT_LIMIT);

const textsIn = (values: readonly unknown[]): readonly string[] =>
  [...new Set(values.map(textIn).filter((text) => text !== undefined))].slice(0, MOST_TEXTS);

const withoutEmpty = (facts: { readonly [F in keyof RecordFacts]: RecordFacts[F] | undefined }): RecordFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined && (fact as string).length !== 0));

const TERM_LIMIT = 100;

/** Accents, and characters that nobody sees. */
const UNSEEN = /[\u0300-\u036f\p{Default_Ignorable_Code_Point}\0]/gu;

/** As searched for. Capitals stand for more letters than small ones: `ß` and `ẞ` become `ss`, and `ı` and `İ` become `i`. */
export function foldTerm(text: string): string {
  const small = text.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  const seen = small.normalize('NFKD').replaceAll(UNSEEN, '').normalize('NFC');
  return cut(seen.replaceAll(/\s+/g, ' ').trim(), TERM_LIMIT);
}

/** As people read ids out: few say less than four digits. */
export const ENDING = /^\d{4,}$/;

/** For the last digits of an id. No other term begins like it. */
export const backwards = (id: string): string => `<${[...id].reverse().join('')}`;

/** Also each word of the customer's name and of the city, and the id from the end. */
export function termsOf({ id }: SubjectRef, facts: RecordFacts, referenceNumber?: string): readonly string[] {
  const { poNumber, externalId, trackingNumbers = [], skus = [], customerName = '', city = '' } = facts;
  const texts = [id, referenceNumber, poNumber, externalId, customerName, city, ...trackingNumbers, ...skus];
  const words = [customerName, city].flatMap((name) => foldTerm(name).split(' ').slice(1));
  const ending = ENDING.test(id) ? [backwards(id)] : [];
  const terms = [
    ...texts.map((text = '') => foldTerm(text)),
    ...words.filter((it) => /[\p{L}\p{N}]/u.test(it)),
    ...ending,
  ];
  return [...new Set(terms)].filter((term) => term !== '');
}
