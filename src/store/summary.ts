import type { OrderRef } from '../domain/order-id.ts';
import type { Stage } from '../domain/stage.ts';
import type { StoreDeps } from './store-deps.ts';

/** An order as a list shows it. */
export interface ListedOrder extends OrderRef {
  readonly stage: Stage;
  readonly referenceNumber: string | null;
  readonly revision: number;
  readonly needsAttention: boolean;
}

/** What a person wants to know of the whole. */
export interface Summary {
  /** Every order, by tenant and id. */
  orders(): Promise<readonly ListedOrder[]>;
  announcements(): Promise<{ readonly sent: number; readonly unsent: number }>;
  /** The ids of all announcements that their destination has acknowledged. */
  acknowledged(): Promise<readonly string[]>;
  /** How many deliveries are parked for each reason, the most frequent first. */
  parked(): Promise<readonly { readonly reason: string; readonly count: number }[]>;
}

/** The lists and counts over what is stored. */
export function createSummary({ db }: Pick<StoreDeps, 'db'>): Summary {
  return {
    async orders() {
      const rows = await db
        .selectFrom('orders')
        .select([
          'tenant',
          'order_id as orderId',
          'stage',
          'reference_number as referenceNumber',
          'revision',
          'needs_attention',
        ])
        .orderBy('tenant')
        .orderBy('order_id')
        .execute();
      return rows.map(({ needs_attention, ...order }) => ({ ...order, needsAttention: needs_attention === 1 }));
    },

    async announcements() {
      const { all, sent } = await db
        .selectFrom('announcements')
        .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('sent_at').as('sent')])
        .executeTakeFirstOrThrow();
      return { sent, unsent: all - sent };
    },

    async acknowledged() {
      const rows = await db.selectFrom('announcements').select('id').where('sent_at', 'is not', null).execute();
      return rows.map(({ id }) => id);
    },

    parked: () =>
      db
        .selectFrom('inbox')
        .select(({ fn }) => ['parked_reason as reason', fn.countAll<number>().as('count')])
        .where('parked_reason', 'is not', null)
        .groupBy('parked_reason')
        .orderBy('count', 'desc')
        .orderBy('reason')
        .$narrowType<{ reason: string }>()
        .execute(),
  };
}
