import { clockTime } from '../../base/moment.ts';
import { plural } from '../../base/text.ts';
import type { Found } from '../../domain/health/incident.ts';
import { countWaiting } from '../../inbox/tables/counts.ts';
import { readSuccesses } from '../../warehouse/tables/answers.ts';
import { isHeld } from '../hold.ts';
import type { Away, Find, MissingKey, OfMachine, Sources } from '../sources.ts';
import { diagnoseWarehouses } from '../warehouse.ts';

const SYSTEM = '/board/system';

/** A person should act below it. */
const LOW_BYTES = 2 ** 30;

export const findFullDisk = async ({ machine }: OfMachine): Promise<readonly Found[]> => {
  const free = await machine?.freeBytes();
  if (free === undefined || free >= LOW_BYTES) return [];
  const because = `${Math.floor(free / 2 ** 20).toLocaleString('en-US')} MiB are free`;
  const ended = 'the disk of the store has space again';
  return [{ place: '', title: 'The disk of the store is nearly full', ended, since: null, because, path: SYSTEM }];
};

/** What accepted webhooks wait for. */
async function findAway({ machine, once }: Sources, part: Away['part']) {
  const away = await machine?.findAway();
  if (away?.part !== part) return undefined;
  const { count, isMore } = await once(countWaiting);
  const { since, queue, because } = away;
  return {
    found: { count, isMore, unit: 'webhook', since, path: SYSTEM, ...(because && { because }) },
    queue,
  } as const;
}

export const findTemporalAway: Find = async (sources) => {
  const away = await findAway(sources, 'Temporal');
  if (!away) return [];
  return [{ ...away.found, place: '', title: 'Temporal does not answer', ended: 'Temporal answers again' }];
};

export const findUnpolledQueue: Find = async (sources) => {
  const away = await findAway(sources, 'workers');
  if (!away) return [];
  const { found, queue: sort = '' } = away;
  const title = `No worker is running for the task queue ${sort}`;
  return [{ ...found, place: '', sort, title, ended: 'every task queue is polled again' }];
};

/** Shorter than the wait for a reminder. */
const TOLD_FOR_MS = 23 * 3_600_000;

/** Last time without Dockline, or without its store. */
export const findDocklineAway: Find = async (sources) => {
  const gone = await sources.reads.selectFrom('alert_watch').select(['away_from', 'away_until']).executeTakeFirst();
  if (gone?.away_from == null || gone.away_until === null || gone.away_until < sources.now - TOLD_FOR_MS) return [];
  const [from, until] = [gone.away_from, gone.away_until].map((at) => clockTime(at, sources));
  const title = `Dockline did not run, or could not reach its store, from ${from} to ${until}`;
  return [{ place: '', title, ended: title, since: gone.away_from, path: '/board' }];
};

/** Intervals after which a sweep is missed. */
const MISSED = 3;

const NONE = { last: [], everyMs: 0, at: 0 } as const;

const sweepsOf = async ({ machine }: Sources) => (await machine?.sweeps()) ?? NONE;

export const findFailingSweeps: Find = async (sources) => {
  const { last, everyMs, at } = await sweepsOf(sources);
  return last
    .filter(({ succeededAt }) => succeededAt < at - MISSED * everyMs)
    .map(({ tenant, succeededAt: since }) => ({
      place: tenant,
      title: `Reconciliation of warehouse ${tenant} has not succeeded since ${clockTime(since, sources)}`,
      ended: `reconciliation of warehouse ${tenant} succeeds again`,
      since,
      path: SYSTEM,
    }));
};

export const findDifferences: Find = async (sources) => {
  const { last } = await sweepsOf(sources);
  return last
    .filter(({ differences }) => differences > 0)
    .map(({ tenant, succeededAt: since, differences: count }) => ({
      place: tenant,
      title: `Reconciliation of warehouse ${tenant} found ${plural(count, 'change')} that no webhook had reported`,
      ended: `reconciliation of warehouse ${tenant} finds no differences`,
      ...{ count, unit: 'difference', since, path: SYSTEM },
    }));
};

const NOTABLE_MS = 30_000;

export const findWrongClocks = async ({ machine }: OfMachine): Promise<readonly Found[]> => {
  const clocks = (await machine?.clocks()) ?? [];
  return clocks
    .filter(({ ms }) => Math.abs(ms) >= NOTABLE_MS)
    .map(({ from, ms }) => ({
      place: from,
      title: `The clock of ${from} is ${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'} this machine's`,
      ended: `the clock of ${from} agrees with this machine's`,
      since: null,
      path: SYSTEM,
    }));
};

/** Though the warehouse answers: otherwise its own incident says enough. */
export const findMissingKeys: Find = async ({ once, machine, now }) => {
  const missing = ((await machine?.missingKeys()) ?? []).filter(({ since }) => isHeld(since, now));
  if (missing.length === 0) return [];
  const away = (await once(diagnoseWarehouses)).filter(({ breadth }) => breadth === 'all');
  const successes = await once(readSuccesses);
  // Since the warehouse answers again, the key has to be asked for again.
  const isAsked = ({ tenant, at }: MissingKey) => {
    const since = successes.get(tenant)?.since ?? 0;
    return at >= since && isHeld(since, now);
  };
  return missing
    .filter(({ tenant }) => !away.some((it) => it.tenant === tenant))
    .filter(isAsked)
    .map(({ endpoint, error: because, since }) => ({
      place: endpoint,
      title: `The key that verifies webhooks to /webhooks/${endpoint} cannot be fetched`,
      ended: `the key that verifies webhooks to /webhooks/${endpoint} can be fetched`,
      ...{ since, because, path: SYSTEM },
    }));
};

/** Before the end of a certificate; two weeks. */
const SOON_MS = 14 * 86_400_000;

export const findExpiringCertificates = async (sources: OfMachine): Promise<readonly Found[]> =>
  ((await sources.machine?.certificates()) ?? [])
    .filter(({ until }) => until < sources.now + SOON_MS)
    .map(({ name, until }) => ({
      place: name,
      title: `The certificate ${name} ${until <= sources.now ? 'expired' : 'expires'} ${clockTime(until, sources)}`,
      ended: `the certificate ${name} is good`,
      since: null,
      path: SYSTEM,
    }));

export const findMissingAttributes: Find = async ({ machine }) => {
  const lacking = (await machine?.lackingAttributes()) ?? [];
  if (lacking.length === 0) return [];
  const title = `Temporal lacks the search attributes ${lacking.map(({ name }) => name).join(', ')}`;
  const [{ because } = { because: '' }] = lacking;
  return [{ place: '', title, ended: 'Temporal has all search attributes', since: null, because, path: SYSTEM }];
};
