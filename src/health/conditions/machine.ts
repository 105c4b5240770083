import type { Found } from '../../domain/health/incident.ts';
import { countWaiting } from '../../inbox/tables/counts.ts';
import { readSuccesses } from '../../warehouse/tables/answers.ts';
import { type Away, isHeld, type MissingKey, type Searches, type Sources } from '../sources.ts';
import { diagnoseWarehouses } from '../warehouse.ts';

const LOW_BYTES = 2 ** 30;

/** Counts the webhooks that are accepted and wait for a part. */
async function findAway({ machine, once }: Sources, part: Away['part'], ended: string): Promise<readonly Found[]> {
  const away = await machine?.findAway();
  if (away?.part !== part) return [];
  const { count, isMore } = await once(countWaiting);
  const { since, queue: sort = '', because = null } = away;
  const title = part === 'Temporal' ? 'Temporal does not answer' : `No worker is running for the task queue ${sort}`;
  return [{ title, ended, sort, count, isMore, unit: 'webhook', since, because }];
}

export const ofMachine = {
  'temporal-away': (sources) => findAway(sources, 'Temporal', 'Temporal answers again'),

  'queue-unpolled': (sources) => findAway(sources, 'workers', 'every task queue is polled again'),

  async 'search-attributes-missing'({ machine }) {
    const lacking = (await machine?.lackingAttributes()) ?? [];
    if (lacking.length === 0) return [];
    const title = `Temporal lacks the search attributes ${lacking.map(({ name }) => name).join(', ')}`;
    return [{ title, ended: 'Temporal has all search attributes', because: lacking[0]?.because ?? '' }];
  },

  async 'disk-nearly-full'({ machine }) {
    const free = await machine?.freeBytes();
    if (free === undefined || free >= LOW_BYTES) return [];
    const because = `${Math.floor(free / 2 ** 20).toLocaleString('en-US')} MiB are free`;
    return [{ title: 'The disk of the store is nearly full', ended: 'the disk of the store has space again', because }];
  },

  /** Of keys that cannot be fetched though the warehouse answers: without it, its own incident says enough. */
  async 'key-unavailable'({ once, machine, now }) {
    const missing = ((await machine?.missingKeys()) ?? []).filter(({ since }) => isHeld(since, now));
    if (missing.length === 0) return [];
    const { failures } = await once(diagnoseWarehouses);
    const successes = await once(readSuccesses);
    // Since the warehouse answers again, the key has to be asked for again.
    const isAsked = ({ tenant, at }: MissingKey) => {
      const since = successes.get(tenant)?.since ?? 0;
      return at >= since && isHeld(since, now);
    };
    const isAway = ({ tenant }: MissingKey) => failures.some((it) => it.breadth === 'all' && it.tenant === tenant);
    return missing
      .filter((it) => !isAway(it) && isAsked(it))
      .map(({ endpoint, error: because, since }) => ({
        place: endpoint,
        title: `The key that verifies webhooks to /webhooks/${endpoint} cannot be fetched`,
        ended: `the key that verifies webhooks to /webhooks/${endpoint} can be fetched`,
        ...{ since, because },
      }));
  },
} satisfies Searches;
