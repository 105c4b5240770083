import { words } from '../base/text.ts';
import {
  type CatalogueEntry,
  catalogue,
  type Family,
  families,
  familyOf,
  findEntry,
  findFamily,
  normalizeName,
} from './catalogue/catalogue.ts';

export const IGNORE = 'ignore';

/** Characters that a reason has whole, so that the name can be accepted. */
export const LONGEST_NAME = 60;

/** That people can give a meaning: each unknown webhook reads all of them. */
export const MOST_NAMES = 1000;

export interface EventName {
  readonly name: string;
  /** Undefined if the messages name none, or several. */
  readonly family: Family | undefined;
}

/** `ordershipped`, or for one family `order/ordershipped`. */
export const nameKey = ({ name, family }: EventName): string =>
  family === undefined ? normalizeName(name) : `${family}/${normalizeName(name)}`;

export const nounOf = (family: Family): string => familyOf(family).noun ?? words(family);

/** In a sentence: `an order item`. */
export const describeFamily = (family: Family): string => `${/^[aeiou]/.test(family) ? 'an' : 'a'} ${nounOf(family)}`;

/** From then on one name is taken for a spelling of another. */
const ALIKE = 0.6;

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

const FAMILY = new RegExp(
  `^(${families
    .flatMap((family) => familyOf(family).words)
    .sort((a, b) => b.length - a.length)
    .join('|')})(?=.)`,
);

const spellingsOf = ({ name, label, aliases }: CatalogueEntry): readonly string[] => [name, label, ...aliases];

/** By pairs of letters, without the family's word, from 0 to 1. */
function likenessOf(one: string, other: string): number {
  const [a, b] = [pairsIn(one), pairsIn(other)];
  const shared = a.filter((pair) => b.includes(pair)).length;
  return a.length + b.length === 0 ? 0 : (2 * shared) / (a.length + b.length);
}

function pairsIn(name: string): readonly string[] {
  const own = normalizeName(name).replace(FAMILY, '');
  return Array.from({ length: Math.max(0, own.length - 1) }, (_, at) => own.slice(at, at + 2));
}

/** Says the least: something has changed. */
export const updateOf = (family: Family | undefined): CatalogueEntry | undefined =>
  catalogue.find(({ subject, milestone }) => subject === family && milestone === 'updated');
