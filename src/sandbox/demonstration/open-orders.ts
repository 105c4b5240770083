import type { Simulator } from '../simulator/simulator.ts';
import type { EventName } from '../simulator/state/events.ts';

/** Events of an order that goes as far as it can without being shipped. */
const course: readonly EventName[] = [
  'OrderCreate',
  'OrderFullyAllocated',
  'OrderPickJobDone',
  'OrderPackStarted',
  'OrderPackComplete',
];

/** Orders in each stage. */
const EACH = 2;

/** Leaves orders in each stage in which they are open, so that the board has something to show; returns their number. */
export async function leaveOpen(
  { createOrder, emit }: Pick<Simulator, 'createOrder' | 'emit'>,
  signal: AbortSignal,
): Promise<number> {
  const orders = course.flatMap((_, index) => Array.from({ length: EACH }, () => course.slice(0, index + 1)));
  for (const events of orders) {
    const id = createOrder();
    for (const name of events) if (!signal.aborted) await emit(id, name);
  }
  return orders.length;
}
