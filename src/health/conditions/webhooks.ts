import { type Kysely, sql } from 'kysely';
import { clockTime, DAY_MS } from '../../base/moment.ts';
import { newestDeliveries } from '../../inbox/tables/newest-deliveries.ts';
import type { Database } from '../../store/schema.ts';
import type { Find } from '../sources.ts';

const HOUR_MS = 3_600_000;
/** Days on each of which something came in the same hour of an account that is never quiet then. */
const DAYS = 7;

/** Announcements of such an hour that are read: those of an account come within a few. */
const READ = 5000;

/** Finds the accounts from which no webhook came within the last hour, though on each of the last days something did in that hour. */
export const findStoppedWebhooks: Find = async (sources) => {
  const { reads, once, machine, now } = sources;
  if (!machine) return [];
  const quiet = (await once(newestDeliveries)).filter(({ lastReceivedAt }) => lastReceivedAt < now - HOUR_MS);
  const checked = await Array.fromAsync(quiet, async (it) => ({
    ...it,
    isUsual: await isQuietAt(reads, it.tenant, now),
  }));
  return checked
    .filter(({ isUsual }) => !isUsual)
    .map(({ tenant, lastReceivedAt: since }) => ({
      place: tenant,
      title: `No webhook of warehouse ${tenant} has come since ${clockTime(since, sources)}, an hour at which it is never quiet`,
      ended: `webhooks of warehouse ${tenant} come again`,
      since,
      path: '/board/webhooks',
    }));
};

/** Reports whether an account was quiet in the hour before this time of the day on any of the last days. */
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
