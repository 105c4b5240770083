import { sql } from 'kysely';
import type { Outbox } from '../../../activities/ports/announcing.ts';
import type { SharedDeps, StoreDeps } from '../schema.ts';
import { isUnsent } from './announcements.ts';
import { isFree, leaseFor } from './leases.ts';

/** Creates the outbox: announcements from their recording to their acknowledgment. `holder` is the id of this process. */
export function createOutbox({ db, now, clock, holder }: StoreDeps & SharedDeps & { readonly holder: string }): Outbox {
  const update = () => db.updateTable('announcements');
  return {
    async lease(id, forMs) {
      const row = await update()
        .set({ leased_by: holder, ...leaseFor(clock, forMs) })
        .where('id', '=', id)
        .where(isUnsent)
        .where(isFree(clock))
        .returning(['id', 'revision', 'body', 'tried_since as triedSince', 'attempts', 'leased_until as leasedUntil'])
        .executeTakeFirst();
      if (row) return { ...row, body: Buffer.from(row.body).toString() };
      const other = await db
        .selectFrom('announcements')
        .select('id')
        .where('id', '=', id)
        .where(isUnsent)
        .executeTakeFirst();
      return other ? 'leased' : undefined;
    },

    async replace(id, body) {
      await update()
        .set({ body: Buffer.from(body), bytes: Buffer.byteLength(body) })
        .where('id', '=', id)
        .where(isUnsent)
        .execute();
    },

    async release(leases) {
      if (leases.length === 0) return;
      await update()
        .set({ leased_until: null })
        .where(({ and, or }) => or(leases.map(({ id, leasedUntil }) => and({ id, leased_until: leasedUntil }))))
        .execute();
    },

    async sent(id, { status, ms, leftOut }) {
      // Another process may have dead-lettered it meanwhile.
      await update()
        .where('id', '=', id)
        .where('sent_at', 'is', null)
        .set(({ eb }) => ({
          sent_at: now(),
          leased_until: null,
          attempts: eb('attempts', '+', 1),
          last_status: status,
          last_ms: ms,
          last_error: null,
          left_out: leftOut?.join() ?? null,
        }))
        .execute();
    },

    async failed({ id, leasedUntil }, { status, ms, error }) {
      await update()
        .where('id', '=', id)
        .where(isUnsent)
        .set(({ eb }) => ({
          // If the lease expired, another process may hold it by now.
          leased_until: sql`nullif(leased_until, ${leasedUntil})`,
          attempts: eb('attempts', '+', 1),
          last_status: status,
          last_ms: ms,
          last_error: error,
        }))
        .execute();
    },

    async deadLetter(id, reason) {
      await db.transaction().execute(async (transaction) => {
        const subject = await transaction
          .updateTable('announcements')
          .set({ dead_lettered_at: now(), dead_letter_reason: reason })
          .where('id', '=', id)
          .where('sent_at', 'is', null)
          .returning(['tenant', 'kind', 'subject_id'])
          .executeTakeFirst();
        if (!subject) return;
        await transaction
          .updateTable('subjects')
          .set({ unannounced: 1 })
          .where(({ and }) => and(subject))
          .execute();
      });
    },

    async results(ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('announcements')
        .select(['id', 'last_status as status', 'last_ms as ms', 'attempts'])
        .select(['dead_letter_reason as deadLettered', 'left_out'])
        .where('id', 'in', ids)
        .where(({ eb, or }) => or([eb('sent_at', 'is not', null), eb('dead_lettered_at', 'is not', null)]))
        .orderBy('revision')
        .execute();
      return rows.map(({ deadLettered, left_out, ...row }) => ({
        ...row,
        ...(left_out !== null && { leftOut: left_out.split(',') }),
        ...(deadLettered !== null && { deadLettered }),
      }));
    },
  };
}
