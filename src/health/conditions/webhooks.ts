import { type Kysely, sql } from 'kysely';
import { clockTime, DAY_MS } from '../../base/moment.ts';
import { newestDeliveries } from '../../inbox/tables/newest-deliveries.ts';
import { isWaiting } from '../../inbox/tables/waiting.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import type { Database } from '../../store/schema.ts';
import type { Searches } from '../sources.ts';

const HOUR_MS = 3_600_000;
/** On each something came in the same hour of an account that is never quiet then. */
const DAYS = 7;

/** Those of an account come within a few. */
const READ = 5000;

/** Age from which on a webhook waits for too long, in milliseconds: a burst waits for the rate of its warehouse. */
const LONG_MS = 300_000;

/** Oldest webhooks that wait and are looked at. */
const OLDEST = 500;

export const ofWebhooks = {
  /** Of accounts from which no webhook came within the last hour, though on each of the last days something did in that hour. */
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

  /** Of webhooks that wait for long though no GET of their subjects fails and Temporal answers: nothing else says that they are stuck. */
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
        order by created_at limit ${READ}) as hour
      where tenant = ${tenant} limit 1`.execute(reads);
    if (rows.length === 0) return true;
  }
  return false;
}
