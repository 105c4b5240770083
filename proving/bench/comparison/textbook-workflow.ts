import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { TextbookActivities } from './textbook.ts';

const event = defineSignal<[string]>('event');

const { getOrder, announce } = proxyActivities<TextbookActivities>({ startToCloseTimeout: '1 minute' });

/** Order as the samples write it: one GET and one announcement for each event, until it is confirmed. */
export async function textbookOrder(orderId: string): Promise<void> {
  const queue: string[] = [];
  setHandler(event, (milestone) => {
    queue.push(milestone);
  });
  for (;;) {
    await condition(() => queue.length > 0);
    const milestone = queue.shift() as string;
    const order = await getOrder(orderId);
    await announce({ orderId, milestone, order });
    if (milestone === 'confirmed') return;
  }
}
