// Charges for an order once it has shipped: the payment is reserved first, and released if the order never ships.
import { receive, type Subject } from '@dockline/workflow';
import { CancellationScope, proxyActivities } from '@temporalio/workflow';

/** Activities of yours that the workflow calls. Each may be tried again, so let it have its effect once. */
export interface Payments {
  reserve(order: Subject): Promise<void>;
  capture(order: Subject): Promise<void>;
  release(order: Subject): Promise<void>;
  apologize(order: Subject): Promise<void>;
}

const { reserve, capture, release, apologize } = proxyActivities<Payments>({ startToCloseTimeout: '1 minute' });

/** Starts with the first announcement of an order, and ends when it has shipped or never will. */
export async function fulfillment(subject: Subject): Promise<'captured' | 'released'> {
  const order = receive('order');
  await reserve(subject);
  let hasShipped = false;
  try {
    hasShipped = await ships();
  } finally {
    // Also if somebody cancels the workflow meanwhile.
    if (!hasShipped) await CancellationScope.nonCancellable(() => release(subject));
  }
  if (hasShipped) await capture(subject);
  return hasShipped ? 'captured' : 'released';

  async function ships(): Promise<boolean> {
    const first = await order.until(['confirmed', 'canceled', 'deleted', 'overdue']);
    if (first.type !== 'dockline.order.overdue') return first.type === 'dockline.order.confirmed';
    await apologize(subject);
    const last = await order.until(['confirmed', 'canceled', 'deleted'], { timeout: '2 days' });
    return last?.type === 'dockline.order.confirmed';
  }
}
