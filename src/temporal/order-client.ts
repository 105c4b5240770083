import type { Client } from '@temporalio/client';
import type { OrderSettings } from '../../workflows/messages.ts';
import type { order as orderWorkflow } from '../../workflows/order.ts';
import type { OrderEvent } from '../domain/event.ts';
import { type OrderRef, orderKey } from '../domain/order-id.ts';

/** How orders are started. */
export interface OrderClientOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly settings: OrderSettings;
}

/** The order workflows as the rest of Dockline speaks to them. */
export interface OrderClient {
  /** Starts the order's workflow where none runs, and signals the events to it: one call to Temporal, all of it or nothing. */
  signal(order: OrderRef, events: readonly OrderEvent[]): Promise<void>;
}

/** Speaks to order workflows, one for each order, by their id `order:{tenant}:{orderId}`. */
export function createOrderClient({ client, taskQueue, settings }: OrderClientOptions): OrderClient {
  return {
    async signal(order, events) {
      await client.workflow.signalWithStart<typeof orderWorkflow, [readonly OrderEvent[]]>('order', {
        workflowId: orderKey(order),
        taskQueue,
        args: [{ order, settings }],
        signal: 'events',
        signalArgs: [events],
        memo: { tenant: order.tenant, orderId: order.orderId },
        staticSummary: `Order ${order.orderId} of warehouse ${order.tenant}`,
      });
    },
  };
}
