import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../simulator/simulator.ts';
import { carrierNames, carrierOf } from '../simulator/state/carriers.ts';
import { course } from './history.ts';

const events = course.map(([name]) => name);

/** Orders in each stage. */
const EACH = 2;

/** Time between two events, in milliseconds. */
const PAUSE_MS = 4_000;

type Warehouse = Pick<Simulator, 'createOrder' | 'emit' | 'faults' | 'setFaults'>;

/** Order that is under way. */
interface OpenOrder {
  readonly id: string;
  /** Number of its events so far. */
  done: number;
}

/** Orders of the first truck that nobody works on, so that they miss it. */
const FORGOTTEN = 3;

/**
 * Leaves orders in each stage in which they are open, one more that is stuck, and some that miss the first truck, so that the board has something
 * to show. Returns those that somebody works on.
 */
export async function leaveOpen(warehouse: Warehouse, signal: AbortSignal): Promise<readonly OpenOrder[]> {
  const orders: OpenOrder[] = [];
  for (let count = 0; count < EACH; count += 1)
    for (let done = 1; done < events.length; done += 1) {
      const order = begin(warehouse);
      while (order.done < done && !signal.aborted) await advance(warehouse, order);
      orders.push(order);
    }
  const stuck = warehouse.createOrder();
  warehouse.setFaults({ records: { ...warehouse.faults().records, [stuck]: 500 } });
  await warehouse.emit(stuck, 'OrderCreate');
  for (let left = FORGOTTEN; left > 0 && !signal.aborted; ) {
    const order = begin(warehouse);
    await advance(warehouse, order);
    if (carrierOf(Number(order.id)).name === carrierNames[0]) left -= 1;
    else orders.push(order);
  }
  return orders;
}

/** Lets the orders go on, one event at a time, and creates another for each that is shipped, until the signal is aborted. */
export async function trickle(
  warehouse: Warehouse,
  orders: readonly OpenOrder[],
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
): Promise<void> {
  // The furthest goes first, and another one waits in its stage, so that each stage always has one.
  const queue = [...orders].reverse();
  while (!signal.aborted) {
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    const order = queue.shift();
    if (signal.aborted || !order) return;
    await advance(warehouse, order);
    const next = order.done < events.length ? order : begin(warehouse);
    if (next !== order) await advance(warehouse, next);
    queue.push(next);
  }
}

const begin = ({ createOrder }: Warehouse): OpenOrder => ({ id: createOrder(), done: 0 });

async function advance({ emit }: Warehouse, order: OpenOrder): Promise<void> {
  const name = events[order.done];
  order.done += 1;
  if (name) await emit(order.id, name);
}
