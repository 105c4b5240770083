import type { Stage } from '../../../../src/domain/lifecycle/stage.ts';
import { createStream, type Stream } from '../../random.ts';
import { type Identifier, items, type StockItem, system, users } from '../../state/directory.ts';
import type { NewSubject, TimedDetails } from '../../state/entry.ts';
import type { Kind } from '../kind.ts';
import { newTransaction, type Transaction, transaction } from '../transaction.ts';
import { laterOf, type Parcel, planShipment, realLineCountOf, type Wares } from './shipment.ts';

/** Order as the warehouse stores it. */
export interface OrderState extends Transaction {
  readonly kind: 'order';
  readonly picker: Identifier;
  readonly lines: readonly OrderLine[];
  readonly fullyAllocated: boolean;
  readonly pickDone: number | null;
  readonly packStarted: number | null;
  readonly packDone: number | null;
  /** Oldest first. */
  readonly pickJobs: readonly PickJob[];
  /** Planned ones; undefined for the one parcel, without contents, of an order that is not as in a real warehouse. */
  readonly parcels?: readonly Parcel[];
  /** Its tracking numbers are entered once it was changed after closing. */
  readonly isTrackedLater?: boolean;
  /** It was changed after closing. */
  readonly isFollowedUp?: boolean;
}

export interface OrderLine {
  readonly orderItemId: number;
  readonly item: StockItem;
  readonly qty: number;
  readonly picked: boolean;
  readonly packed: boolean;
  readonly wares?: Wares;
}

/** Job that picks one order; a real one may pick several. */
export interface PickJob {
  readonly id: number;
  readonly status: 'open' | 'done' | 'excluded';
  readonly assigned: Identifier | null;
  /** Done with some lines unpicked. */
  readonly incomplete: boolean;
}

/** Beyond this number, line ids would run into those of the next order. */
const LINE_LIMIT = 1000;

/** Beyond this number, job ids would run into those of the next order. */
const JOB_LIMIT = 100;

/** Distance between the package ids of two orders. */
const PACKAGE_LIMIT = 10;

/** Largest number of 32 bits with a sign, a prime. */
const LARGEST_ID = 2 ** 31 - 1;

/** Returns the id of an order's nth part. It fits 32 bits; only orders whose ids are millions apart might have the same. */
const partIdOf = (orderId: number, index: number, limit: number): number => (orderId * limit + index) % LARGEST_ID;

/** Returns the id of an order's nth line. */
export const orderItemIdOf = (orderId: number, index: number): number => partIdOf(orderId, index, LINE_LIMIT);

/** Returns the id of an order's nth pick job. */
export const pickJobIdOf = (orderId: number, index: number): number => partIdOf(orderId, index, JOB_LIMIT);

/** Returns the id of an order's nth package. */
export const packageIdOf = (orderId: number, index: number): number => partIdOf(orderId, index, PACKAGE_LIMIT);

/** Returns the parcels that have been packed, each with whether its tracking number is known. */
export function parcelsIn(order: OrderState): readonly (Parcel & { readonly isTracked: boolean })[] {
  const { packDone, parcels = [PLAIN_PARCEL], isTrackedLater = false, isFollowedUp = false } = order;
  if (packDone === null) return [];
  return parcels
    .filter(({ isLater }) => isFollowedUp || !isLater)
    .map((parcel) => ({ ...parcel, isTracked: isFollowedUp || !isTrackedLater }));
}

const PLAIN_PARCEL: Parcel = { index: 0, weight: 0, goods: [], isLater: false };

/** Returns the line with that id, by default the first. Throws if the order has no such line. */
export function lineOf({ id, lines }: OrderState, orderItemId?: string): OrderLine {
  const line = orderItemId === undefined ? lines[0] : lines.find((it) => String(it.orderItemId) === orderItemId);
  if (!line) throw new Error(`No item ${orderItemId} in order ${id}`);
  return line;
}

/** Returns the default number of lines of the nth order. */
export function lineCountOf(seed: number, number: number, isReal: boolean): number {
  if (isReal) return realLineCountOf(seed, number);
  return createStream(seed, `lines of order ${number}`).between(1, 3);
}

/** Returns the pick job that the order is in, or was in when the job was done; undefined after an exclusion. */
export function currentPickJob({ pickJobs }: OrderState): PickJob | undefined {
  const last = pickJobs.at(-1);
  return last?.status === 'excluded' ? undefined : last;
}

/** Creates an open order, in a real warehouse with goods and parcels. Throws if it would have no lines or more than 1000. */
export function newOrder(subject: NewSubject): OrderState {
  const { id, number, seed, stream, isReal, lines = lineCountOf(seed, number, isReal) } = subject;
  const open = newTransaction('order', subject);
  const [picker = open.clerk, ...others] = users.filter((user) => user !== open.clerk);
  const order = {
    ...open,
    picker: stream.pick([picker, ...others]),
    lines: newLines(id, stream, lines),
    fullyAllocated: false,
    pickDone: null,
    packStarted: null,
    packDone: null,
    pickJobs: [],
  };
  return isReal ? withShipment(order, seed, number) : order;
}

function withShipment(order: OrderState, seed: number, number: number): OrderState {
  const items = order.lines.map(({ item }) => item);
  const later = laterOf(seed, number);
  const stream = createStream(seed, `shipment of order ${number}`);
  const { wares, parcels } = planShipment(stream, { orderId: order.id, items, later });
  const lines = order.lines.map((line, index) => {
    const own = wares[index];
    return own ? { ...line, wares: own, qty: unitsIn(own.goods) / own.scale } : line;
  });
  return { ...order, lines, parcels, isTrackedLater: later === 'tracking' };
}

export const unitsIn = (goods: readonly { readonly units: number }[]): number =>
  goods.reduce((sum, { units }) => sum + units, 0);

function newLines(orderId: number, stream: Stream, count: number): OrderState['lines'] {
  if (!Number.isInteger(count) || count < 1 || count > LINE_LIMIT)
    throw new Error(`An order has 1 to ${LINE_LIMIT} lines, not ${count}`);
  return Array.from({ length: count }, (_, index) => ({
    orderItemId: orderItemIdOf(orderId, index),
    item: stream.pick(items),
    qty: stream.between(1, 12),
    picked: false,
    packed: false,
  }));
}

/** Effects of the events of orders and their lines. */
export const orderEffects = {
  ...transaction.effects,
  updated: ({ status }) => (status === 1 ? { isFollowedUp: true } : {}),
  fullyAllocated: () => ({ fullyAllocated: true, lastModifiedBy: system }),
  excludedFromPickJob: (order) => changeJob(order, { status: 'excluded' }),
  pickerAssigned: (order) => changeJob(order, { assigned: order.picker }),
  pickerUnassigned: (order) => changeJob(order, { assigned: null }),
  picked: (order, { time, incomplete = false }) => ({
    ...changeJob(order, { status: 'done', assigned: order.picker, incomplete }),
    pickDone: incomplete ? order.pickDone : time,
    lastModifiedBy: order.picker,
  }),
  packStarted: (_, { time }) => ({ packStarted: time }),
  packed: (_, { time }) => ({ packDone: time }),
  itemPacked: (order, details) => changeLine(order, details, { packed: true }),
  itemUnpacked: (order, details) => changeLine(order, details, { packed: false }),
  itemPicked: (order, details) => changeLine(order, details, { picked: true }),
  itemUnpicked: (order, details) => changeLine(order, details, { picked: false }),
} as const satisfies Kind<OrderState>['effects'];

function changeJob({ id, pickJobs }: OrderState, change: Partial<PickJob>): Pick<OrderState, 'pickJobs'> {
  const last = pickJobs.at(-1);
  if (last?.status === 'open') return { pickJobs: [...pickJobs.slice(0, -1), { ...last, ...change }] };
  const job: PickJob = { id: pickJobIdOf(id, pickJobs.length), status: 'open', assigned: null, incomplete: false };
  return { pickJobs: [...pickJobs, { ...job, ...change }] };
}

function changeLine(order: OrderState, { orderItemId }: TimedDetails, change: Partial<OrderLine>): Partial<OrderState> {
  const changed = lineOf(order, orderItemId);
  const lines = order.lines.map((line) => (line === changed ? { ...line, ...change } : line));
  return { lines, lastModifiedBy: order.picker };
}

export function stageOfOrder(order: OrderState): Stage {
  if (order.status !== 0) return transaction.stage(order);
  if (order.packDone !== null) return 'packed';
  if (order.packStarted !== null) return 'packing';
  if (order.pickDone !== null) return 'picked';
  return order.fullyAllocated ? 'fullyAllocated' : transaction.stage(order);
}
