import { cut } from '../base/text.ts';
import {
  type CatalogueEntry,
  catalogue,
  type Family,
  families,
  findEntry,
  findFamily,
  normalizeName,
} from './catalogue/catalogue.ts';
import type { QuarantineText } from './quarantine.ts';

/** Meaning of a name whose webhooks are put aside on purpose. */
export const IGNORE = 'ignore';

/** Longest name of an event that a reason quotes whole, and that can be accepted, in characters. */
export const LONGEST_NAME = 60;

/** Number of names that people can give a meaning: each webhook that nobody understands reads all of them. */
export const MOST_NAMES = 1000;

/** Name of an event that the catalogue does not have, in any spelling. */
export interface EventName {
  readonly name: string;
  /** Family that its messages name; undefined if they name none, or several. */
  readonly family: Family | undefined;
}

/** Key of a name among the meanings of names: `ordershipped`, or for one family `order/ordershipped`. */
export const nameKey = ({ name, family }: EventName): string =>
  family === undefined ? normalizeName(name) : `${family}/${normalizeName(name)}`;

/** Returns the name of a family in a sentence: `an order item`. */
export const describeFamily = (family: Family): string => {
  const noun = { orderItem: 'order item', stock: 'stock summary' }[family as string] ?? family;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
};

/** Says that a webhook has a name that nobody knows, or that is ignored, with the families that its message names. */
export function sayUnknown(name: string, named: readonly Family[], isIgnored: boolean): QuarantineText {
  const [beginning, described] = [isIgnored ? 'unwanted' : 'unknown', named.map(describeFamily).join(' and ')] as const;
  const reason = `${beginning} event ${JSON.stringify(cut(name, LONGEST_NAME))}` as const;
  if (named.length === 0) return `${reason}: the message names no family`;
  return named.length === 1 ? `${reason} of ${described}` : `${reason}: the message names both ${described}`;
}

/** Reports whether a webhook is quarantined because nobody knows its name. */
export const isUnknown = (reason: string | undefined): boolean => reason?.startsWith('unknown event ') === true;

/** Reads the name from a reason that says that it is unknown or ignored, also one with the advice of an earlier version. */
export function readUnknown(reason: string): EventName | undefined {
  const [, quoted, words] = /^(?:unknown|unwanted) event ("(?:[^"\\]|\\.)*")(?: of (an? [a-z ]+))?/.exec(reason) ?? [];
  if (quoted === undefined) return undefined;
  return { name: JSON.parse(quoted), family: families.find((family) => describeFamily(family) === words) };
}

/** Likeness of two names from which on one is taken for a spelling of the other. */
const ALIKE = 0.6;

/** Returns the event whose names are most like an unknown one; undefined if none is. */
export function likeliest({ name, family }: EventName): CatalogueEntry | undefined {
  const label = family && findEntry(name, family);
  if (label) return label;
  const about = family ?? findFamily(FAMILY.exec(normalizeName(name))?.[0] ?? '');
  const of = catalogue.filter(({ subject }) => about === undefined || subject === about);
  const [best] = of
    .map((entry) => ({ entry, likeness: Math.max(...spellingsOf(entry).map((it) => likenessOf(it, name))) }))
    .sort((a, b) => b.likeness - a.likeness);
  return best && best.likeness >= ALIKE ? best.entry : undefined;
}

/** Word for the family at the beginning of a name. */
const FAMILY = /^(orderitem|order|receipt|receiver|adjustment|assembly|item)(?=.)/;

const spellingsOf = ({ name, label, aliases }: CatalogueEntry): readonly string[] => [name, label, ...aliases];

/** Compares two names by their pairs of letters, without the word for their family, from 0 to 1. */
function likenessOf(one: string, other: string): number {
  const [a, b] = [pairsIn(one), pairsIn(other)];
  const shared = a.filter((pair) => b.includes(pair)).length;
  return a.length + b.length === 0 ? 0 : (2 * shared) / (a.length + b.length);
}

function pairsIn(name: string): readonly string[] {
  const own = normalizeName(name).replace(FAMILY, '');
  return Array.from({ length: Math.max(0, own.length - 1) }, (_, at) => own.slice(at, at + 2));
}

/** Returns the event of a family that says the least: that something has changed. */
export const updateOf = (family: Family | undefined): CatalogueEntry | undefined =>
  catalogue.find(({ subject, milestone }) => subject === family && milestone === 'updated');
