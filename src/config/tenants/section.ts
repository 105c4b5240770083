import { z } from 'zod';
import { normalizeName } from '../../domain/catalogue/catalogue.ts';

/** Form of any object with keys. */
export const keyed = z.looseObject({}, 'must be keys with values');

/** Condition of a check that needs an object, however many of its keys have errors. */
export const whenKeyed = { when: ({ value }: { readonly value: unknown }) => keyed.safeParse(value).success };

/** Creates the form of an object that accepts no other keys. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.looseObject(shape, 'must be keys with values').superRefine((given, { addIssue }) => {
    for (const key of Object.keys(given).filter((name) => !known.includes(name)))
      addIssue({ code: 'custom', path: [key], message: unknownKey(key, known) });
  }, whenKeyed);
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return `is not known here; ${meant ? `did you mean ${meant}?` : `known are ${known.join(', ')}`}`;
}

/** Minimum similarity of a typo, from 0 to 1. */
const SIMILARITY = 0.4;

function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, similarity: similarityOf(name, candidate) }))
    .toSorted((a, b) => b.similarity - a.similarity);
  return best && best.similarity >= SIMILARITY ? best.candidate : undefined;
}

/** Share of the pairs of neighboring letters that two names have in common. */
function similarityOf(one: string, other: string): number {
  const a = pairsOf(one);
  const b = pairsOf(other);
  return a.intersection(b).size / a.union(b).size;
}

const pairsOf = (name: string): Set<string> => {
  const letters = normalizeName(name);
  return new Set([...letters].map((_, index) => letters.slice(index, index + 2)));
};
