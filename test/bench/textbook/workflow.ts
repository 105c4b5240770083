import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { TextbookActivities } from './activities.ts';

/** What a webhook told of. */
export interface TextbookEvent {
  readonly milestone: string;
}

/** One webhook. */
export const event = defineSignal<[TextbookEvent]>('event');

const { getOrder, announce } = proxyActivities<TextbookActivities>({ startToCloseTimeout: '1 minute' });

/** An order as the samples follow one: for each event one GET and one announcement, until it is confirmed. */
export async function textbookOrder(orderId: string): Promise<void> {
  const queue: TextbookEvent[] = [];
  setHandler(event, (told) => {
    queue.push(told);
  });
  for (;;) {
    await condition(() => queue.length > 0);
    const { milestone } = queue.shift() as TextbookEvent;
    const order = await getOrder(orderId);
    await announce({ orderId, milestone, order });
    if (milestone === 'confirmed') return;
  }
}
