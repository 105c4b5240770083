import { normalizeName } from '../../domain/catalogue/catalogue.ts';

/** How alike two names must be, from 0 to 1, for one to be taken as a slip of the other. */
const ALIKE = 0.4;

/** The name that another was probably meant to be; undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, likeness: likenessOf(name, candidate) }))
    .toSorted((a, b) => b.likeness - a.likeness);
  return best && best.likeness >= ALIKE ? best.candidate : undefined;
}

/** The share of neighboring letters that two names have in common. */
function likenessOf(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  return a.intersection(b).size / a.union(b).size;
}

const pairsOf = (name: string): Set<string> => {
  const letters = normalizeName(name);
  return new Set([...letters].map((_, index) => letters.slice(index, index + 2)));
};
