import { type ExpressionBuilder, sql } from 'kysely';
import type { Outbox } from '../../../activities/ports/announcing.ts';
import type { Outgoing } from '../../domain/outgoing.ts';
import type { Connections } from '../engines/connections.ts';
import type { Database, SharedDeps, StoreDeps } from '../schema.ts';
import { replaceBody } from './announcements.ts';
import { keepAttempt } from './attempts.ts';
import { isFree, leaseFor } from './leases.ts';
import { isHeld, isOpen, isUnsent } from './outgoing.ts';
import { withdraw } from './withdrawals.ts';

/** Creates the outbox: announcements from their recording to the acknowledgment of each destination. `holder` is the id of this process. */
export function createOutbox({
  db,
  together,
  now,
  clock,
  holder,
}: StoreDeps & SharedDeps & Pick<Connections, 'together'> & { readonly holder: string }): Outbox {
  const update = ({ id: announcement, destination }: Outgoing, on = db) =>
    on.updateTable('outbox').where(({ and }) => and({ announcement, destination }));

  return {
    async lease(outgoing, forMs) {
      const { id, destination } = outgoing;
      const row = await update(outgoing)
        .set({ leased_by: holder, ...leaseFor(clock, forMs) })
        .where(isUnsent)
        .where(isFree(clock))
        .where(({ not }) => not(isHeld))
        .returning(({ selectFrom }) => [
          'revision',
          'previous',
          'tried_since as triedSince',
          'attempts',
          'leased_until as leasedUntil',
          'replayed_at',
          ofAnnouncement(selectFrom).select('body').$asScalar().$notNull().as('body'),
          ofAnnouncement(selectFrom).select('customer_id').$asScalar().as('customerId'),
        ])
        .executeTakeFirst();
      if (row) {
        const { replayed_at, body, ...leased } = row;
        return { id, destination, ...leased, isReplay: replayed_at !== null, body: Buffer.from(body).toString() };
      }
      const other = await db
        .selectFrom('outbox')
        .select(isHeld.as('isHeld'))
        .where(({ and }) => and({ announcement: id, destination }))
        .where(isUnsent)
        .executeTakeFirst();
      return other && (other.isHeld ? 'held' : 'leased');
    },

    async replace(id, body) {
      await replaceBody(db, id, body)
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('outbox').select('announcement').where('announcement', '=', id).where(isUnsent),
        )
        .execute();
    },

    async release(leases) {
      if (leases.length === 0) return;
      await db
        .updateTable('outbox')
        .set({ leased_until: null })
        .where(({ and, or }) =>
          or(
            leases.map(({ id, destination, leasedUntil }) =>
              and({ announcement: id, destination, leased_until: leasedUntil }),
            ),
          ),
        )
        .execute();
    },

    async sent(outgoing, { status, ms, leftOut, exchange }) {
      const at = now();
      await keepAttempt(together, { outgoing, at, ms, outcome: 'delivered', error: null, exchange }, (on) =>
        update(outgoing, on)
          // Another process may have dead-lettered it meanwhile.
          .where(isOpen)
          .set(({ eb }) => ({
            sent_at: at,
            leased_until: null,
            attempts: eb('attempts', '+', 1),
            last_status: status,
            last_ms: ms,
            last_error: null,
            left_out: leftOut?.join() ?? null,
          })),
      );
    },

    async failed(lease, { outcome, status, ms, error, exchange }) {
      await keepAttempt(together, { outgoing: lease, at: now(), ms, outcome, error, exchange }, (on) =>
        update(lease, on)
          .where(isUnsent)
          .set(({ eb }) => ({
            // If the lease expired, another process may hold it by now.
            leased_until: sql`nullif(leased_until, ${lease.leasedUntil})`,
            attempts: eb('attempts', '+', 1),
            last_status: status,
            last_ms: ms,
            last_error: error,
          })),
      );
    },

    async withdraw({ id, destination }) {
      await db.transaction().execute(async (transaction) => {
        const row = await transaction
          .selectFrom('announcements')
          .select('tenant')
          .where('id', '=', id)
          .executeTakeFirst();
        if (row) await withdraw(transaction, { tenant: row.tenant, id: destination }, [id]);
      });
    },

    async deadLetter({ id: announcement, destination }, reason) {
      await db.transaction().execute(async (transaction) => {
        const subject = await transaction
          .updateTable('outbox')
          .set({ dead_lettered_at: now(), dead_letter_reason: reason })
          .where(({ and }) => and({ announcement, destination }))
          .where(isOpen)
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

    async results(destination, ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('outbox')
        .select(['announcement as id', 'last_status as status', 'last_ms as ms', 'attempts'])
        .select(['dead_letter_reason as deadLettered', 'left_out'])
        .where('announcement', 'in', ids)
        .where('destination', '=', destination)
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

const ofAnnouncement = (selectFrom: ExpressionBuilder<Database, 'outbox'>['selectFrom']) =>
  selectFrom('announcements').whereRef('id', '=', 'announcement');
