import { setTimeout as pause } from 'node:timers/promises';
import { type ConditionName, conditionNames, factsOf } from '../../../src/domain/health/condition.ts';
import type { Change } from '../../../src/domain/health/telling.ts';
import { FaultError } from '../fault.ts';
import type { People, Told } from '../fixture/people.ts';
import type { Prometheus } from './prometheus.ts';

/** Alert of Prometheus, or condition that people are told of. */
export interface Signal {
  readonly name: string;
  /** Resolves with what it says once it fires; undefined before. */
  fired(): Promise<string | undefined>;
  isClear(): Promise<boolean>;
}

/** Returns the signal of a shipped alert. */
export const signalOfPrometheus = (prometheus: Prometheus, name: string): Signal => ({
  name,
  async fired() {
    const { state, summaries = [] } = (await prometheus.alerts()).get(name) ?? {};
    return state === 'firing' ? (summaries[0] ?? '') : undefined;
  },
  isClear: async () => (await prometheus.alerts()).get(name)?.state === 'inactive',
});

/** Returns the signal of a condition: it has fired once people were told, and is clear before that and once they were told of its end. */
export const signalOfPeople = (people: People, name: ConditionName): Signal => ({
  name,
  fired: async () => people.told().find((it) => isNews(it, name, 'opened'))?.text,
  isClear: async () => ['over', undefined].includes(people.told().findLast(isOf(name))?.change),
});

/** Recognizes news of a condition, or of what it has become, such as 429 that turns into no answer. */
function isOf(name: ConditionName): (told: Told) => boolean {
  const { family } = factsOf(name);
  return ({ condition }) => condition === name || (family !== undefined && factsOf(condition).family === family);
}

const isNews = (it: Told, condition: ConditionName, change: Change): boolean =>
  it.condition === condition && it.change === change;

/** Reports whether a signal is about what is past, of which people are told afterwards, and of no end. */
export const isEvent = ({ name }: Pick<Signal, 'name'>): boolean =>
  conditionNames.some((it) => it === name && factsOf(it).isEvent);

/** Time of more than two looks for what is wrong, in milliseconds. */
const LOOKS_MS = 35_000;

/** News that depend on how far a fault goes: it grows, or becomes something else. */
const between: readonly Change[] = ['grew', 'changed'];

/** Waits for what else is told. Throws unless people were told of each condition once for each place, and once of its end there. */
export async function expectNoMore(
  people: People,
  conditions: readonly ConditionName[],
  signal: AbortSignal,
): Promise<void> {
  await pause(LOOKS_MS, undefined, { signal });
  const told = people.told();
  for (const name of conditions) {
    const expected: readonly Change[] = isEvent({ name }) ? ['opened'] : ['opened', 'over'];
    const places = Map.groupBy(told.filter(isOf(name)), ({ place }) => place);
    if (places.size === 0) throw new FaultError(`people were told nothing of ${name}`);
    for (const [place, news] of places) {
      const changes = news.map(({ change }) => change);
      if (changes.filter((change) => !between.includes(change)).join() !== expected.join())
        throw new FaultError(`people were told of ${name} at ${place}: ${changes.join(', ')}`);
    }
  }
}
