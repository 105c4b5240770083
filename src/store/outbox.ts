import type { Outbox } from '../../activities/ports.ts';
import type { StoreDeps } from './store-deps.ts';

/** The announcements that were recorded with their subjects, until they are acknowledged. */
export function createOutbox({ db, now }: StoreDeps): Outbox {
  return {
    async unsent(ids) {
      const rows = await db
        .selectFrom('announcements')
        .select(['id', 'revision', 'body'])
        .where('id', 'in', ids)
        .where('sent_at', 'is', null)
        .execute();
      const byId = new Map(rows.map((row) => [row.id, { ...row, body: Buffer.from(row.body).toString() }]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },

    async markSent(ids) {
      await db
        .updateTable('announcements')
        .set({ sent_at: now() })
        .where('id', 'in', ids)
        .where('sent_at', 'is', null)
        .execute();
    },

    async park(ids, reason) {
      const rows = await db
        .updateTable('announcements')
        .set({ parked_at: now(), parked_reason: reason })
        .where('id', 'in', ids)
        .where('sent_at', 'is', null)
        .returning('id')
        .execute();
      const parked = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => parked.has(id));
    },
  };
}
