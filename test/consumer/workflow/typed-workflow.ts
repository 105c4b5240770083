import { type Received, receive, type Subject } from '@dockline/workflow';

/** Compiles only with the whole types of the package. */
export async function typed(_subject: Subject, received?: Received): Promise<readonly (number | undefined)[]> {
  const order = receive('order', { received });
  const packed = await order.until('packed');
  const end: 'dockline.order.confirmed' | 'dockline.order.canceled' = (await order.until(['confirmed', 'canceled']))
    .type;
  const late = await order.until('overdue', { timeout: '1 minute' });
  // @ts-expect-error: an order reaches no such milestone.
  await order.until('changed');
  // @ts-expect-error: it is undefined after the timeout.
  const { type } = await order.until('overdue', { timeout: '1 minute' });
  // @ts-expect-error: revisions are numbers.
  const revision: string = packed.data.revision;
  return [packed.data.progress?.packed, late?.data.revision, end.length, type.length, revision.length];
}
