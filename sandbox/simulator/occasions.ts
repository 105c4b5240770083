import type { Stream } from './random.ts';

/**
 * Creates the occasions of things by name. At a rate of 0.1 a thing happens on every tenth occasion, the seed decides from which one
 * on, so that even a short run has each; one whose turn is another's waits for the next occasion. At a rate of 1 it happens always.
 */
export function createOccasions(stream: Stream) {
  const owed = new Map<string, number>();
  const owedTo = (name: string) => owed.get(name) ?? stream.between(0, 999) / 1000;
  return {
    /** Returns the name of what happens now, if anything. */
    next<N extends string>(rates: Readonly<Record<N, number>>): N | undefined {
      const names = (Object.keys(rates) as N[]).filter((name) => rates[name] > 0);
      for (const name of names) owed.set(name, Math.min(owedTo(name) + rates[name], 2));
      const due = names.find((name) => owedTo(name) >= 1);
      if (due !== undefined) owed.set(due, owedTo(due) - 1);
      return due;
    },
  };
}
