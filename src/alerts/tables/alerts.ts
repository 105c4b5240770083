import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import { type Alert, type Change, LONGEST_SILENCE_MS } from '../../domain/health/alert.ts';
import type { ConditionName } from '../../domain/health/condition.ts';
import { type Incident, nameOf } from '../../domain/health/incident.ts';
import { isFree, leaseFor } from '../../store/processes.ts';
import { addRows, changeRows, deleteRows, putRows, rowsOf } from '../../store/rows.ts';
import type { Database, SharedDeps, StoreDeps } from '../../store/schema.ts';

interface NotifiedChange {
  readonly condition: ConditionName;
  readonly about: string;
  readonly change: Change;
  readonly text: string;
}

export interface OpenMessage {
  readonly id: string;
  readonly channel: string;
  readonly title: string;
  readonly news: readonly NotifiedChange[];
  readonly attempts: number;
  readonly nextTryAt: number;
  readonly lastError: string | null;
}

export type Alerts = ReturnType<typeof createAlerts>;

export function createAlerts({ db, now, clock, holder }: StoreDeps & SharedDeps & { readonly holder: string }) {
  return {
    /** Makes this process the one that looks, for a time, unless another is. */
    async watch(forMs: number): Promise<boolean> {
      await addRows(db, 'alert_watch', { id: 1 }).execute();
      const row = await changeRows(db, 'alert_watch', { id: 1 })
        .set({
          leased_by: holder,
          ...leaseFor(clock, forMs),
          watched_at: clock(),
        })
        .where((where) => where.or([where('leased_by', '=', holder), isFree(clock)]))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async leave(): Promise<void> {
      await changeRows(db, 'alert_watch', { leased_by: holder }).set({ leased_until: null }).execute();
    },

    async all() {
      return (await db.selectFrom('alerts').selectAll().execute()).map(readAlert);
    },

    save: (audience: string, before: readonly Alert[], after: readonly Alert[]): Promise<void> =>
      db.transaction().execute((it) => saveAlerts(it, audience, before, after)),

    /** A silence that ends later than any was made while the clock was ahead. */
    async silenced(): Promise<ReadonlySet<ConditionName>> {
      const rows = await db
        .selectFrom('alert_silences')
        .select('condition')
        .where('until', '>', now())
        .where('until', '<=', now() + LONGEST_SILENCE_MS)
        .execute();
      return new Set(rows.map(({ condition }) => condition));
    },

    async silence(condition: ConditionName, until: number, by: string): Promise<void> {
      await putRows(db, 'alert_silences', { condition, until, silenced_by: by }).execute();
    },

    async unsilence(condition: ConditionName): Promise<boolean> {
      const silence = deleteRows(db, 'alert_silences', { condition }).where('until', '>', now());
      const { numDeletedRows } = await silence.executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** One for each channel at most. */
    async openMessages(): Promise<readonly OpenMessage[]> {
      const rows = await rowsOf(db, 'alert_messages', { notified_at: null })
        .select(['id', 'channel', 'title', 'news', 'attempts'])
        .select(['next_try_at as nextTryAt', 'last_error as lastError'])
        .execute();
      return rows.map(({ news, ...row }) => ({ ...row, news: JSON.parse(news) }));
    },

    async put({ nextTryAt: next_try_at, lastError: last_error, news, ...message }: OpenMessage): Promise<void> {
      const row = { ...message, made_at: now(), news: JSON.stringify(news), next_try_at, last_error };
      await db.transaction().execute(async (transaction) => {
        await deleteOpen(transaction, message.channel);
        await transaction.insertInto('alert_messages').values(row).execute();
      });
    },

    drop: (channel: string): Promise<void> => deleteOpen(db, channel),

    async confirmed(
      id: string,
      ...changes: readonly [audience: string, before: readonly Alert[], after: readonly Alert[]]
    ) {
      await db.transaction().execute(async (transaction) => {
        await changeRows(transaction, 'alert_messages', { id }).set({ notified_at: now() }).execute();
        await saveAlerts(transaction, ...changes);
      });
    },

    async forget(before: number): Promise<void> {
      await db
        .deleteFrom('alert_messages')
        .where('made_at', '<', before)
        .where('notified_at', 'is not', null)
        .execute();
      await db.deleteFrom('alert_silences').where('until', '<', now()).execute();
    },
  };
}

export function readAlert({ audience, phase, since, gone_since, ...row }: Database['alerts']) {
  const { most, ...finding } = JSON.parse(row.finding) as Incident & Pick<Alert, 'most'>;
  const notified = JSON.parse(row.notified) as Alert['notified'];
  const alert: Alert = { phase, since, goneSince: gone_since, finding, notified, most };
  return { audience, alert };
}

async function saveAlerts(
  transaction: Transaction<Database>,
  audience: string,
  before: readonly Alert[],
  after: readonly Alert[],
): Promise<void> {
  const known = new Map(before.map((it) => [nameOf(it.finding), it]));
  const kept = new Set(after.map(({ finding }) => nameOf(finding)));
  for (const { finding } of before.filter((it) => !kept.has(nameOf(it.finding))))
    await deleteRows(transaction, 'alerts', { audience, condition: finding.condition, about: finding.place }).execute();
  for (const alert of after.filter((it) => !isDeepStrictEqual(known.get(nameOf(it.finding)), it))) {
    const { phase, since, goneSince: gone_since, finding, most, notified } = alert;
    await putRows(transaction, 'alerts', {
      ...{ audience, condition: finding.condition, about: finding.place, phase, since, gone_since },
      finding: JSON.stringify({ ...finding, most }),
      notified: JSON.stringify(notified),
    }).execute();
  }
}

async function deleteOpen(db: StoreDeps['db'], channel: string): Promise<void> {
  await deleteRows(db, 'alert_messages', { channel, notified_at: null }).execute();
}
