import { setTimeout as wait } from 'node:timers/promises';
import { singleFlight } from '../../base/loop.ts';
import { factsOf } from '../../domain/health/condition.ts';
import type { Incident } from '../../domain/health/incident.ts';
import type { StoredGauges } from '../../health/gauges.ts';
import { sumCounts } from '../../store/bounded-count.ts';
import type { Metrics } from './metrics.ts';

/** An incident that is over has no series any more. */
export function createIncidentGauges(
  metrics: Metrics,
  read: () => Promise<readonly Incident[]>,
  now: () => number = Date.now,
): () => Promise<void> {
  const counts = metrics.gauge('dockline_incident');
  const ages = metrics.gauge('dockline_incident_age_seconds');
  return async () => {
    const incidents = await read().catch(() => []);
    counts.reset();
    ages.reset();
    const keyOf = (it: Incident) => `${it.condition}\n${placeOf(it)}`;
    for (const group of Map.groupBy(incidents, keyOf).values()) {
      const [first] = group as [Incident];
      const labels = { condition: first.condition, place: placeOf(first) };
      counts.set(labels, sum(group));
      ages.set(labels, Math.max(0, now() - Math.min(...group.map(({ since }) => since))) / 1000);
    }
  };
}

const sum = (incidents: readonly Incident[]): number => incidents.reduce((total, { count }) => total + count, 0);

/** Without the id of a subject: metrics name only the account. */
const placeOf = ({ condition, place }: Incident): string =>
  factsOf(condition).isOfOne ? (place.split(':')[1] ?? '') : place;

interface Reading<T> {
  readonly read: () => Promise<T>;
  readonly forMs: number;
  readonly withinMs: number;
}

/** Reads once at a time; rejects if that fails or takes longer than `withinMs`. */
export function shareReading<T>({ read, forMs, withinMs }: Reading<T>): () => Promise<T> {
  const shared = singleFlight(forMs, read);
  const tooLate = async (): Promise<never> => {
    await wait(withinMs, undefined, { ref: false });
    throw new Error(`nothing was read within ${withinMs} ms`);
  };
  return () => Promise.race([shared.read(), tooLate()]);
}

/** While the store cannot be read the gauges have no value, instead of an old one. */
export function createStoredGauges(metrics: Metrics, read: () => Promise<StoredGauges>): () => Promise<void> {
  const up = metrics.gauge('dockline_store_up');
  const waiting = metrics.gauge('dockline_inbox_waiting_events');
  const oldestWaiting = metrics.gauge('dockline_inbox_oldest_waiting_age_seconds');
  const unsent = metrics.gauge('dockline_announcements_unsent');
  const oldestUnsent = metrics.gauge('dockline_announcements_oldest_unsent_age_seconds');
  const subjects = metrics.gauge('dockline_subjects');
  const oldestInStage = metrics.gauge('dockline_subjects_oldest_stage_age_seconds');

  function set(stored: StoredGauges): void {
    const age = (since: number | null) => (since === null ? 0 : Math.max(0, stored.at - since) / 1000);
    waiting.set(stored.waiting.count);
    oldestWaiting.set(age(stored.waiting.since));
    const { deadLetters: _, ...open } = stored.outgoing;
    const { count, since } = sumCounts(Object.values(open));
    unsent.set(count);
    oldestUnsent.set(age(since));
    for (const { kind, stage, count, since } of stored.subjects) {
      subjects.set({ kind, stage }, count);
      oldestInStage.set({ kind, stage }, age(since));
    }
  }

  return async () => {
    const stored = await read().catch(() => undefined);
    up.set(stored ? 1 : 0);
    if (stored) return set(stored);
    for (const gauge of [waiting, oldestWaiting, unsent, oldestUnsent]) gauge.remove();
    for (const gauge of [subjects, oldestInStage]) gauge.reset();
  };
}
