import { type ExpressionBuilder, sql } from 'kysely';
import type {
  AnnouncementResult,
  FailedAttempt,
  Lease,
  LeasedAnnouncement,
  Outgoing,
  Receipt,
} from '../../domain/outgoing.ts';
import type { IdentityRef } from '../../domain/routing.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { isOfPaused, isOpen, isUnsent } from '../../store/outbox-conditions.ts';
import { isFree, leaseFor } from '../../store/processes.ts';
import { changeRows, rowsOf } from '../../store/rows.ts';
import type { Database, SharedDeps, StoreDeps } from '../../store/schema.ts';
import { quietUntil } from './announcements.ts';
import { recordAttempt } from './attempts.ts';
import { withdraw } from './withdrawals.ts';

/** For the first attempt after a wait alone. */
const FIRST_MS = 2000;

export type Outbox = ReturnType<typeof createOutbox>;

interface OutboxDeps extends StoreDeps, SharedDeps, Pick<Connections, 'together'> {
  readonly holder: string;
}

export function createOutbox({ db, together, now, clock, holder }: OutboxDeps) {
  const update = ({ id: announcement, destination }: Outgoing, on = db) =>
    changeRows(on, 'outbox', { announcement, destination });

  async function isTaken({ tenant, id }: IdentityRef, quiet: number): Promise<boolean> {
    const { numUpdatedRows } = await changeRows(db, 'destinations', { tenant, id, quiet_until: quiet })
      .set({ quiet_until: sql<number>`${clock()} + ${FIRST_MS}` })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  return {
    /** `leased`: by another; `held`: its destination is paused; a wait that this has asked for; undefined: not to be sent any more. */
    async lease(
      outgoing: Outgoing,
      forMs: number,
    ): Promise<LeasedAnnouncement | 'leased' | 'held' | { readonly quietMs: number } | undefined> {
      const { id, destination } = outgoing;
      const row = await update(outgoing)
        .set({ leased_by: holder, ...leaseFor(clock, forMs) })
        .where(isUnsent)
        .where(isFree(clock))
        .where(({ not }) => not(isOfPaused))
        .where(sql<boolean>`coalesce(${quietUntil}, 0) <= ${clock()}`)
        .returning(({ selectFrom }) => [
          'tenant',
          quietUntil.as('quietUntil'),
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
        const { replayed_at, body, tenant, quietUntil: quiet, ...leased } = row;
        const isFirst = quiet !== null;
        if (isFirst && !(await isTaken({ tenant, id: destination }, quiet))) {
          await update(outgoing).set({ leased_until: null }).where('leased_until', '=', leased.leasedUntil).execute();
          return { quietMs: FIRST_MS };
        }
        return {
          id,
          destination,
          ...leased,
          isReplay: replayed_at !== null,
          ...(isFirst && { isFirst }),
          body: Buffer.from(body).toString(),
        };
      }
      const other = await rowsOf(db, 'outbox', { announcement: id, destination })
        .select([isOfPaused.as('isOfPaused'), sql<number>`coalesce(${quietUntil}, 0) - ${clock()}`.as('quietMs')])
        .where(isUnsent)
        .executeTakeFirst();
      if (other && !other.isOfPaused && other.quietMs > 0) return { quietMs: other.quietMs };
      return other && (other.isOfPaused ? 'held' : 'leased');
    },

    /** The first attempt after a wait alone decides whether there is another. */
    async quiet(destination: IdentityRef, waitMs: number, isFirst: boolean): Promise<void> {
      if (waitMs <= 0 && !isFirst) return;
      const until = sql<number>`${clock()} + ${waitMs}`;
      await changeRows(db, 'destinations', { ...destination })
        .set({ quiet_until: waitMs > 0 ? until : null })
        .where(isFirst ? sql<boolean>`true` : sql<boolean>`coalesce(quiet_until, 0) < ${until}`)
        .execute();
    },

    /** Not those that expired: others may hold the announcements. */
    async release(leases: readonly Lease[]): Promise<void> {
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

    /** Ends the lease. The last attempts are kept. */
    async sent(
      outgoing: Outgoing,
      { status, ms, leftOut, exchange }: Receipt & { readonly ms: number },
    ): Promise<void> {
      const at = now();
      await recordAttempt(together, { outgoing, at, ms, outcome: 'delivered', error: null, exchange }, (on) =>
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

    async failed(lease: Lease, { outcome, status, ms, error, exchange }: FailedAttempt): Promise<void> {
      await recordAttempt(together, { outgoing: lease, at: now(), ms, outcome, error, exchange }, (on) =>
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

    async withdraw({ id, destination }: Outgoing): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const row = await rowsOf(transaction, 'announcements', { id }).select('tenant').executeTakeFirst();
        if (row) await withdraw(transaction, { tenant: row.tenant, id: destination }, [id]);
      });
    },

    async deadLetter(outgoing: Outgoing, reason: string): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const subject = await update(outgoing, transaction)
          .set({ dead_lettered_at: now(), dead_letter_reason: reason })
          .where(isOpen)
          .returning(['tenant', 'kind', 'subject_id'])
          .executeTakeFirst();
        if (!subject) return;
        await changeRows(transaction, 'subjects', subject).set({ unannounced: 1 }).execute();
      });
    },

    async results(destination: string, ids: readonly string[]): Promise<readonly AnnouncementResult[]> {
      if (ids.length === 0) return [];
      const rows = await rowsOf(db, 'outbox', { announcement: ids, destination })
        .select(['announcement as id', 'last_status as status', 'last_ms as ms', 'attempts'])
        .select(['dead_letter_reason as deadLettered', 'left_out'])
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
