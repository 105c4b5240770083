import { type Kysely, sql } from 'kysely';
import { clockTime, DAY_MS, HOUR_MS } from '../../base/moment.ts';
import { plural } from '../../base/text.ts';
import { collectionOf } from '../../domain/catalogue/subject.ts';
import { countThings, type Found } from '../../domain/health/incident.ts';
import {
  categoryOf,
  nameIn,
  type QuarantineCategory,
  type QuarantineReason,
  quarantineCodes,
  sayReason,
} from '../../domain/quarantine.ts';
import { newestDeliveries } from '../../inbox/tables/counts.ts';
import { readReason, type StoredReason, someOfEach } from '../../inbox/tables/quarantined.ts';
import { isWaiting } from '../../inbox/tables/waiting.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { rowsOf } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import { readPageLimits } from '../../warehouse/tables/answers.ts';
import type { Searches, Sources } from '../sources.ts';

/** Kinds of reasons in words. What is ignored is no incident. */
const words: Readonly<Record<Exclude<QuarantineCategory, 'ignored'>, readonly [one: string, several: string]>> = {
  unreadable: ['cannot be read', 'cannot be read'],
  tenant: ['is of an account that is not configured', 'are of an account that is not configured'],
  event: ['has an unknown name', 'have unknown names'],
  subject: ['does not say what it is about', 'do not say what they are about'],
  version: ['is for another version of Dockline', 'are for another version of Dockline'],
  dispatch: ['is refused by Temporal', 'are refused by Temporal'],
  recording: ['cannot be recorded', 'cannot be recorded'],
};

interface Counted {
  readonly reason: QuarantineReason;
  readonly count: number;
  readonly first: number;
}

const NAMED = 3;
const READ_REASONS = 500;

function describe(of: readonly [Counted, ...Counted[]]) {
  const all = of.reduce((sum, { count }) => sum + count, 0);
  const counted = { count: Math.min(all, COUNTED), isMore: all > COUNTED, unit: 'webhook' } as const;
  const [{ reason }] = of;
  const [one, several] = words[categoryOf(reason.code) as keyof typeof words];
  return {
    title: `${countThings(counted)} ${counted.count === 1 ? one : several}`,
    ended: 'no webhook is in quarantine for this reason',
    ...counted,
    because: sayReason(reason),
    path: '/board/quarantine',
  };
}

const codes = quarantineCodes.filter((code) => categoryOf(code) !== 'ignored');

async function countReasons(reads: Kysely<Database>): Promise<readonly Counted[]> {
  const { rows } = await sql<StoredReason & { readonly count: number; readonly first: number }>`
    select code, data, count(*) as count, min(id) as first from ${someOfEach(codes, COUNTED + 1)}
    group by code, data order by count(*) desc, code, data limit ${READ_REASONS}`.execute(reads);
  return rows.map((it) => ({ reason: readReason(it), count: Number(it.count), first: Number(it.first) }));
}

export const ofQuarantine = {
  async quarantine({ reads }) {
    const groups = Map.groupBy(await countReasons(reads), ({ reason }) => {
      const category = categoryOf(reason.code);
      return reason.code === 'unknownName' ? `${category}/${nameIn(reason)?.family ?? 'any'}` : category;
    });
    return await Array.fromAsync(
      [...groups].sort(([a], [b]) => (a < b ? -1 : 1)),
      async ([place, counted]) => {
        const of = counted as [Counted, ...Counted[]];
        const first = Math.min(...of.map((it) => it.first));
        const oldest = rowsOf(reads, 'inbox', { id: first }).select('received_at');
        const found = { ...describe(of), place, since: (await oldest.executeTakeFirst())?.received_at ?? null };
        if (of[0].reason.code !== 'unknownName') return found;
        return {
          ...found,
          because: of
            .slice(0, NAMED)
            .map((it) => sayReason(it.reason))
            .join('; '),
          path: '/board/event-names',
        };
      },
    );
  },
} satisfies Searches;

const REMEMBERED_MS = 7 * DAY_MS;

/** Intervals between sweeps after which one that has not succeeded is missed. */
const MISSED = 3;

const NONE = { last: [], everyMs: 0, at: 0 } as const;

const sweepsOf = async ({ machine }: Sources) => (await machine?.sweeps()) ?? NONE;

export const ofReconciliation = {
  async 'reconciliation-failing'(sources) {
    const { last, everyMs, at } = await sweepsOf(sources);
    return last
      .filter(({ succeededAt }) => succeededAt < at - MISSED * everyMs)
      .map(({ tenant, succeededAt: since }) => ({
        place: tenant,
        title: `Reconciliation of warehouse ${tenant} has not succeeded since ${clockTime(since, sources)}`,
        ended: `reconciliation of warehouse ${tenant} succeeds again`,
        since,
      }));
  },

  async 'reconciliation-differences'(sources) {
    const { last } = await sweepsOf(sources);
    return last
      .filter(({ differences }) => differences > 0)
      .map(({ tenant, succeededAt: since, differences: count }) => ({
        place: tenant,
        title: `Reconciliation of warehouse ${tenant} found ${plural(count, 'change')} that no webhook had reported`,
        ended: `reconciliation of warehouse ${tenant} finds no differences`,
        ...{ count, unit: 'difference', since },
      }));
  },

  async 'listing-limited'(sources) {
    const pages = await readPageLimits(sources.reads, sources.now - REMEMBERED_MS);
    return pages.map(({ tenant, kind, reason: because, since }): Found => {
      const several = collectionOf[kind];
      return {
        place: `${tenant}/${kind}`,
        title: `Warehouse ${tenant} does not list several ${several} at once, so that each takes a GET of its own`,
        ended: `warehouse ${tenant} lists several ${several} at once`,
        ...{ because, since },
      };
    });
  },
} satisfies Searches;

const DAYS = 7;

/** Those of an account come within a few. */
const READ_WEBHOOKS = 5000;

/** A burst waits for the rate of its warehouse. */
const LONG_MS = 300_000;

const OLDEST = 500;

export const ofWebhooks = {
  async 'webhooks-stopped'(sources) {
    const { reads, once, machine, now } = sources;
    if (!machine) return [];
    const silent = (await once(newestDeliveries)).filter(({ lastReceivedAt }) => lastReceivedAt < now - HOUR_MS);
    const each = await Array.fromAsync(silent, async ({ tenant, lastReceivedAt: since }) => {
      if (await isQuietAt(reads, tenant, now)) return [];
      const title = `No webhook of warehouse ${tenant} has come since ${clockTime(since, sources)}, an hour at which it is never quiet`;
      return [
        { place: tenant, title, ended: `webhooks of warehouse ${tenant} come again`, since, path: '/board/webhooks' },
      ];
    });
    return each.flat();
  },

  async stuck({ reads, machine, now }) {
    if (await machine?.findAway()) return [];
    const kind = isPostgres(reads)
      ? sql`split_part(subject_key, ':', 1)`
      : sql`substr(subject_key, 1, instr(subject_key, ':') - 1)`;
    const { rows } = await sql<{ count: number; since: number | null }>`
      select count(*) as count, min(received_at) as since from (
        select tenant, subject_key, received_at from ${sql.table('inbox')} where ${isWaiting} order by id limit ${OLDEST}) as oldest
      where received_at <= ${now - LONG_MS} and not exists (
        select 1 from ${sql.table('subjects')} where subjects.tenant = oldest.tenant and subjects.kind = ${kind}
          and subjects.subject_id = substr(subject_key, length(${kind}) + length(oldest.tenant) + 3)
          and subjects.retrieving_at is not null)`.execute(reads);
    const count = Number(rows[0]?.count ?? 0);
    if (count === 0) return [];
    return [
      {
        title: 'Webhooks wait for more than five minutes, though nothing fails',
        ended: 'no webhook waits for more than five minutes',
        ...{ count, isMore: count >= OLDEST, unit: 'webhook', since: rows[0]?.since ?? null },
        path: '/board/webhooks?state=waiting',
      },
    ];
  },
} satisfies Searches;

/** In the hour before this time of the day, on any of the last days. */
async function isQuietAt(reads: Kysely<Database>, tenant: string, now: number): Promise<boolean> {
  for (let day = 1; day <= DAYS; day += 1) {
    const to = now - day * DAY_MS;
    const { rows } = await sql`
      select 1 as one from (
        select tenant from ${sql.table('announcements')} where created_at >= ${to - HOUR_MS} and created_at < ${to}
        order by created_at limit ${READ_WEBHOOKS}) as hour
      where tenant = ${tenant} limit 1`.execute(reads);
    if (rows.length === 0) return true;
  }
  return false;
}
