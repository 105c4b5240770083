import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../simulator/simulator.ts';
import { carrierNames, carrierOf } from '../simulator/state/carriers.ts';
import { course } from './history.ts';

const events = course.map(([name]) => name);

/** Number of their events: two orders in each stage. */
const places = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5];

/** From here on an order makes the first truck. */
const PACKING = events.indexOf('OrderPackStarted') + 1;
const PACKED = events.indexOf('OrderPackComplete') + 1;

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
  const placed: { readonly order: OpenOrder; readonly place: number }[] = [];
  const free = new Map(places.entries());
  while (free.size > 0 && !signal.aborted) {
    const order = begin(warehouse);
    const fits = ([, done]: readonly [number, number]) => done >= PACKING === isOfFirstTruck(order);
    const [place, done] = [...free].find(fits) ?? [places.length, PACKED];
    while (order.done < done && !signal.aborted) await advance(warehouse, order);
    placed.push({ order, place });
    free.delete(place);
  }
  const orders = placed.sort((a, b) => a.place - b.place).map(({ order }) => order);
  const stuck = warehouse.createOrder();
  warehouse.setFaults({ records: { ...warehouse.faults().records, [stuck]: 500 } });
  await warehouse.emit(stuck, 'OrderCreate');
  for (let left = FORGOTTEN; left > 0 && !signal.aborted; ) {
    const order = begin(warehouse);
    await advance(warehouse, order);
    if (isOfFirstTruck(order)) left -= 1;
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
    const done = isOfFirstTruck(next) ? PACKED : 1;
    while (next.done < done && !signal.aborted) await advance(warehouse, next);
    queue.push(next);
  }
}

const isOfFirstTruck = ({ id }: OpenOrder): boolean => carrierOf(Number(id)).name === carrierNames[0];

const begin = ({ createOrder }: Warehouse): OpenOrder => ({ id: createOrder(), done: 0 });

async function advance({ emit }: Warehouse, order: OpenOrder): Promise<void> {
  const name = events[order.done];
  order.done += 1;
  if (name) await emit(order.id, name);
}
