import { sql } from 'kysely';
import type { Outbox } from '../../../activities/ports.ts';
import type { PatrolDeps } from '../../inbox/patrol.ts';
import type { StoreDeps } from '../store-deps.ts';

/** The announcements that were recorded with their subjects, until they are acknowledged. */
export function createOutbox({ db, now }: StoreDeps): Outbox & { readonly overdue: PatrolDeps['unsent'] } {
  const unsent = (id: string) =>
    db
      .updateTable('announcements')
      .where('id', '=', id)
      .where('sent_at', 'is', null)
      .where('dead_lettered_at', 'is', null);
  return {
    async lease(id, forMs) {
      const at = now();
      const row = await unsent(id)
        .set({ leased_until: at + forMs })
        .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', at)]))
        .returning(['id', 'revision', 'body', 'tried_since as triedSince', 'attempts'])
        .executeTakeFirst();
      if (row) return { ...row, body: Buffer.from(row.body).toString() };
      const other = await db
        .selectFrom('announcements')
        .select('leased_until')
        .where('id', '=', id)
        .where('sent_at', 'is', null)
        .where('dead_lettered_at', 'is', null)
        .executeTakeFirst();
      return other ? 'leased' : undefined;
    },

    async release(ids) {
      if (ids.length === 0) return;
      await db.updateTable('announcements').set({ leased_until: null }).where('id', 'in', ids).execute();
    },

    async sent(id, { status, ms }) {
      // Another process may have given it up meanwhile.
      await db
        .updateTable('announcements')
        .where('id', '=', id)
        .where('sent_at', 'is', null)
        .set(({ eb }) => ({
          ...{ sent_at: now(), leased_until: null, attempts: eb('attempts', '+', 1) },
          ...{ last_status: status, last_ms: ms, last_error: null },
        }))
        .execute();
    },

    async failed(id, { status, ms, error }) {
      await unsent(id)
        .set(({ eb }) => ({
          ...{ leased_until: null, attempts: eb('attempts', '+', 1) },
          ...{ last_status: status, last_ms: ms, last_error: error },
        }))
        .execute();
    },

    async deadLetter(id, reason) {
      await db.transaction().execute(async (transaction) => {
        const deadLettered = await transaction
          .updateTable('announcements')
          .set({ dead_lettered_at: now(), dead_letter_reason: reason, leased_until: null })
          .where('id', '=', id)
          .where('sent_at', 'is', null)
          .returning(['tenant', 'kind', 'subject_id'])
          .executeTakeFirst();
        if (!deadLettered) return;
        await transaction
          .updateTable('subjects')
          .set({ unannounced: 1 })
          .where('tenant', '=', deadLettered.tenant)
          .where('kind', '=', deadLettered.kind)
          .where('subject_id', '=', deadLettered.subject_id)
          .execute();
      });
    },

    async overdue(ageMs, after, limit) {
      const rows = await db
        .selectFrom('announcements')
        .select(['created_at as at', 'id', 'tenant', 'kind', 'subject_id'])
        .where('sent_at', 'is', null)
        .where('dead_lettered_at', 'is', null)
        .where('created_at', '<=', now() - ageMs)
        .where(sql<boolean>`(created_at, id) > (${after.at}, ${after.id})`)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ at, id, tenant, kind, subject_id }) => ({
        at,
        id,
        subject: { tenant, kind, id: subject_id },
      }));
    },

    async results(ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('announcements')
        .select(['id', 'last_status as status', 'last_ms as ms', 'attempts', 'dead_letter_reason as deadLettered'])
        .where('id', 'in', ids)
        .where(sql<boolean>`(sent_at is not null or dead_lettered_at is not null)`)
        .orderBy('revision')
        .execute();
      return rows.map(({ deadLettered, ...row }) => (deadLettered === null ? row : { ...row, deadLettered }));
    },
  };
}
