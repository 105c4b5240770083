import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { WaitingActivities } from './waiting-worker.ts';

/** Announcement, as far as it is looked at. */
interface Announcement {
  readonly data: { readonly id: string; readonly milestone: string };
}

const { arrived } = proxyLocalActivities<WaitingActivities>({ startToCloseTimeout: '5 seconds' });

/** Waits for the announcements of an order, and reports each. */
export async function waiting(): Promise<void> {
  const queue: Announcement[] = [];
  setHandler(defineSignal<[Announcement]>('dockline'), (announcement) => void queue.push(announcement));
  for (;;) {
    await condition(() => queue.length > 0);
    const came = queue.splice(0).map(({ data: { id, milestone } }) => ({ id, milestone }));
    await arrived(came);
    if (came.some(({ milestone }) => milestone === 'confirmed')) return;
  }
}
