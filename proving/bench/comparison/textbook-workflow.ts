import { condition, defineSignal, proxyActivities, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { TextbookActivities } from './textbook.ts';

const event = defineSignal<[string]>('event');

const timeout = { startToCloseTimeout: '1 minute' } as const;
const { getOrder, announce } = proxyActivities<TextbookActivities>(timeout);
const { getAndAnnounce } = proxyLocalActivities<TextbookActivities>(timeout);

/** Order as the samples write it: one GET and one announcement for each event, until it is confirmed. */
export const textbookOrder = (orderId: string): Promise<void> =>
  follow(async (milestone) => {
    const order = await getOrder(orderId);
    await announce({ orderId, milestone, order });
  });

/** The least that is durable on Temporal: one local activity for each event, which makes the GET and the POST. */
export const leastOrder = (orderId: string): Promise<void> => follow((milestone) => getAndAnnounce(orderId, milestone));

async function follow(act: (milestone: string) => Promise<void>): Promise<void> {
  const queue: string[] = [];
  setHandler(event, (milestone) => {
    queue.push(milestone);
  });
  for (;;) {
    await condition(() => queue.length > 0);
    const milestone = queue.shift() as string;
    await act(milestone);
    if (milestone === 'confirmed') return;
  }
}
