import { type Customer, customers, facilities, type Identifier, items, users } from './directory.ts';
import { applyEvent, type EventName, type Occurrence } from './order-effects.ts';
import { type OrderState, orderIdOfPickJob } from './order-state.ts';
import { createStream, type Stream } from './random.ts';

/** What a caller may choose of a new order; the seed chooses the rest. */
export interface OrderOptions {
  readonly referenceNum?: string;
  /** One of the simulator's customers. */
  readonly customerId?: number;
}

/** Every order of the simulated warehouse. */
export interface OrderBook {
  /** Sets numbers aside, so that what an order looks like does not depend on when it is created; returns the first. */
  reserve(count: number): number;
  create(number: number, options?: OrderOptions): OrderState;
  /** Undefined for an order that never was; a deleted one is still found. */
  find(orderId: number): OrderState | undefined;
  /** Throws for an order that never was. */
  get(orderId: number): OrderState;
  findByPickJob(pickJobId: number): OrderState | undefined;
  apply(orderId: number, name: EventName, occurrence: Occurrence): OrderState;
}

/** Opens an empty book, whose orders are numbered from `firstId`. */
export function createOrderBook({ seed, firstId }: { readonly seed: number; readonly firstId: number }): OrderBook {
  const orders = new Map<number, OrderState>();
  let nextNumber = 0;

  const find = (orderId: number) => orders.get(orderId);
  const get = (orderId: number) => {
    const order = find(orderId);
    if (!order) throw new Error(`No order ${orderId} in the simulator`);
    return order;
  };
  const put = (order: OrderState) => {
    orders.set(order.orderId, order);
    return order;
  };
  return {
    reserve: (count) => {
      nextNumber += count;
      return nextNumber - count;
    },
    create: (number, options = {}) => put(newOrder(firstId + number, createStream(seed, `order ${number}`), options)),
    find,
    get,
    findByPickJob: (pickJobId) => {
      const order = find(orderIdOfPickJob(pickJobId));
      return order?.pickJobs.some(({ id }) => id === pickJobId) ? order : undefined;
    },
    apply: (orderId, name, occurrence) => put(applyEvent(get(orderId), name, occurrence)),
  };
}

function newOrder(orderId: number, stream: Stream, { referenceNum, customerId }: OrderOptions): OrderState {
  const customer = stream.pick(customers);
  const clerk = stream.pick(users);
  const created = Date.now();
  return {
    orderId,
    referenceNum: referenceNum ?? `OR${orderId}X`,
    customer: customerId === undefined ? customer : customerOf(customerId),
    facility: stream.pick(facilities),
    clerk,
    picker: stream.pick(othersThan(clerk)),
    lines: newLines(orderId, stream),
    created,
    ...untouched,
    lastModified: created,
    lastModifiedBy: clerk,
  };
}

function customerOf(customerId: number): Customer {
  const customer = customers.find(({ id }) => id === customerId);
  if (!customer) throw new Error(`No customer ${customerId} in the simulator`);
  return customer;
}

const untouched = {
  status: 0,
  deleted: false,
  fullyAllocated: false,
  deferNotification: true,
  processed: null,
  pickDone: null,
  packStarted: null,
  packDone: null,
  pickJobs: [],
} as const;

function othersThan(clerk: Identifier): readonly [Identifier, ...Identifier[]] {
  const [first = clerk, ...rest] = users.filter((user) => user !== clerk);
  return [first, ...rest];
}

function newLines(orderId: number, stream: Stream): OrderState['lines'] {
  const count = stream.between(1, 3);
  return Array.from({ length: count }, (_, index) => ({
    orderItemId: orderId * 10 + index,
    item: stream.pick(items),
    qty: stream.between(1, 12),
  }));
}
