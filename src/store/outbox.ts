import type { Outbox } from '../../activities/ports.ts';
import type { StoreDeps } from './store-deps.ts';

/** The announcements that were recorded with their subjects, until they are acknowledged. */
export function createOutbox({ db, now }: StoreDeps): Outbox {
  return {
    async unsent(id) {
      const row = await db
        .selectFrom('announcements')
        .select(['id', 'revision', 'body'])
        .where('id', '=', id)
        .where('sent_at', 'is', null)
        .executeTakeFirst();
      return row && { ...row, body: Buffer.from(row.body).toString() };
    },

    async markSent(id) {
      await db
        .updateTable('announcements')
        .set({ sent_at: now() })
        .where('id', '=', id)
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
