import { type Received, type Receiver, receive, type Subject } from '@dockline/workflow';
import {
  CancellationScope,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  setHandler,
} from '@temporalio/workflow';

export { fulfillment } from '../../consumer/workflow/examples/fulfillment.ts';

const milestones = defineQuery<string[]>('milestones');
const finish = defineSignal('finish');

/** Lets a test read what a workflow has received. */
function show<K extends 'order' | 'stock'>(receiver: Receiver<K>): Receiver<K> {
  setHandler(milestones, () => receiver.milestones());
  return receiver;
}

/** Waits for several milestones at once; returns the ids of their announcements. */
export async function several(): Promise<readonly string[]> {
  const order = show(receive('order'));
  const found = [order.until('packed'), order.until(['packed', 'confirmed']), order.until('confirmed')];
  return (await Promise.all(found)).map(({ id }) => id);
}

/** Waits for an order to be packed, but not for long. */
export async function impatient(): Promise<string> {
  const packed = await receive('order').until('packed', { timeout: 100 });
  return packed?.id ?? 'undefined';
}

/** Waits in a scope that is canceled with the workflow; then goes on. */
export async function canceled(): Promise<string> {
  const order = show(receive('order', { gapTimeout: 100 }));
  try {
    await order.until('confirmed');
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
  return (await CancellationScope.nonCancellable(() => order.until('confirmed'))).id;
}

/** Receives until somebody says that it is enough. */
export async function listener(_subject: Subject, gapTimeout = 100): Promise<readonly string[]> {
  const order = show(receive('order', { gapTimeout }));
  const { promise, resolve } = Promise.withResolvers<void>();
  setHandler(finish, resolve);
  await promise;
  return order.milestones();
}

/** Waits for each change of stock, in runs of two changes; the fifth ends it. */
export async function stock(
  subject: Subject,
  received?: Received,
  seen: readonly number[] = [],
): Promise<readonly number[]> {
  const item = show(receive('stock', { received }));
  const revisions = [...seen];
  for (let changes = 0; changes < 2 && revisions.at(-1) !== 5; changes += 1) {
    const { data } = await item.until('changed', { after: revisions.at(-1) });
    revisions.push(data.revision);
  }
  if (revisions.at(-1) === 5) return revisions;
  return await continueAsNew<typeof stock>(subject, item.received(), revisions);
}
