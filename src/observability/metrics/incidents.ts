import { factsOf } from '../../domain/health/condition.ts';
import type { Incident } from '../../domain/health/incident.ts';
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
