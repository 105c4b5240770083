import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { LeastActivities } from './least.ts';

const event = defineSignal<[string]>('event');

const { getAndAnnounce } = proxyLocalActivities<LeastActivities>({ startToCloseTimeout: '1 minute' });

/** Makes the GET and the announcement of each event, one after the other, until the order is confirmed. */
export async function leastOrder(orderId: string): Promise<void> {
  const queue: string[] = [];
  setHandler(event, (milestone) => {
    queue.push(milestone);
  });
  for (;;) {
    await condition(() => queue.length > 0);
    const milestone = queue.shift() as string;
    await getAndAnnounce(orderId, milestone);
    if (milestone === 'confirmed') return;
  }
}
