import type { Transaction } from 'kysely';
import type { Announcement, Orders } from '../../activities/ports.ts';
import type { Lifecycle } from '../domain/lifecycle.ts';
import type { OrderRef } from '../domain/order-id.ts';
import { needsAttention, stageOf } from '../domain/stage.ts';
import type { Database } from './schema.ts';
import type { StoreDeps } from './store-deps.ts';

/** The read model of orders, written in one transaction with the announcements of their changes. */
export function createOrders({ db, now }: StoreDeps): Orders {
  return {
    record: (order, lifecycle, announcements) =>
      db.transaction().execute(async (transaction) => {
        await writeOrder(transaction, { order, lifecycle, now: now() });
        for (const announcement of announcements) {
          await writeAnnouncement(transaction, { order, announcement, now: now() });
        }
      }),

    async recall({ tenant, orderId }) {
      const row = await db
        .selectFrom('orders')
        .select('lifecycle')
        .where('tenant', '=', tenant)
        .where('order_id', '=', orderId)
        .executeTakeFirst();
      if (!row) return undefined;
      const unsent = await db
        .selectFrom('announcements')
        .select('id')
        .where('tenant', '=', tenant)
        .where('order_id', '=', orderId)
        .where('sent_at', 'is', null)
        .orderBy('revision')
        .execute();
      return { lifecycle: JSON.parse(row.lifecycle) as Lifecycle, unsent: unsent.map(({ id }) => id) };
    },
  };
}

async function writeOrder(
  transaction: Transaction<Database>,
  { order, lifecycle, now }: { readonly order: OrderRef; readonly lifecycle: Lifecycle; readonly now: number },
): Promise<void> {
  const { snapshot } = lifecycle;
  const row = {
    stage: stageOf(lifecycle),
    revision: lifecycle.revision,
    lifecycle: JSON.stringify(lifecycle),
    reference_number: snapshot?.referenceNumber ?? null,
    customer_id: snapshot?.customerId ?? null,
    facility_id: snapshot?.facilityId ?? null,
    needs_attention: needsAttention(lifecycle) ? 1 : 0,
    last_event_at: lifecycle.lastEventTime,
    updated_at: now,
  };
  await transaction
    .insertInto('orders')
    .values({ tenant: order.tenant, order_id: order.orderId, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'order_id'])
        .doUpdateSet(row)
        // A lifecycle can learn without a new revision (an event that a snapshot had told of), so the same revision may write.
        .where((eb) =>
          eb.or([
            eb('orders.revision', '<', row.revision),
            eb.and([
              eb('orders.revision', '=', row.revision),
              eb('orders.last_event_at', '<=', row.last_event_at),
              eb('orders.lifecycle', '!=', row.lifecycle),
            ]),
          ]),
        ),
    )
    .execute();
}

async function writeAnnouncement(
  transaction: Transaction<Database>,
  { order, announcement, now }: { readonly order: OrderRef; readonly announcement: Announcement; readonly now: number },
): Promise<void> {
  await transaction
    .insertInto('announcements')
    .values({
      id: announcement.id,
      tenant: order.tenant,
      order_id: order.orderId,
      revision: announcement.revision,
      body: Buffer.from(announcement.body),
      created_at: now,
      sent_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
