import { findEntry } from '../domain/catalogue.ts';
import type { Milestone } from '../domain/milestone.ts';
import { system } from './directory.ts';
import { currentPickJob, type OrderState, type PickJob, pickJobId } from './order-state.ts';

/** The circumstances of an event. */
export interface Occurrence {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** A pick job that is done without every line picked. */
  readonly incomplete: boolean;
}

type Effect = (order: OrderState, occurrence: Occurrence) => Partial<OrderState>;

/** What each event of an order changes in it, by the catalogue's names. */
const effects = {
  OrderCreate: () => ({}),
  OrderComplete: () => ({ deferNotification: false }),
  OrderUpdate: () => ({}),
  OrderConfirm: (_, { time }) => ({ status: 1, processed: time }),
  OrderUnconfirm: () => ({ status: 0, processed: null }),
  OrderCancel: () => ({ status: 2 }),
  OrderDeleted: () => ({ deleted: true }),
  OrderFullyAllocated: () => ({ fullyAllocated: true, lastModifiedBy: system }),
  OrderExcludedFromPickJob: (order) => changeJob(order, { status: 'excluded' }),
  OrderPickJobUserAssigned: (order) => changeJob(order, { assigned: order.picker }),
  OrderPickJobUserUnassigned: (order) => changeJob(order, { assigned: null }),
  OrderPickJobDone: (order, { time, incomplete }) => ({
    ...changeJob(order, { status: 'done', assigned: order.picker, incomplete }),
    pickDone: incomplete ? order.pickDone : time,
    lastModifiedBy: order.picker,
  }),
  OrderPackStarted: (_, { time }) => ({ packStarted: time }),
  OrderPackComplete: (_, { time }) => ({ packDone: time }),
} as const satisfies Record<string, Effect>;

/** An event that can happen to an order, by the catalogue's name. */
export type EventName = keyof typeof effects;

/** Every event that can happen to an order. */
export const eventNames = Object.keys(effects) as EventName[];

/** The milestone that an event tells, by the catalogue. */
export function milestoneOf(name: EventName): Milestone {
  const milestone = findEntry(name)?.milestone;
  if (!milestone) throw new Error(`${name} is not an order's event in the catalogue`);
  return milestone;
}

/** The order after the event. No rule refuses an event: what may follow what is "not shown". */
export function applyEvent(order: OrderState, name: EventName, occurrence: Occurrence): OrderState {
  const effect: Effect = effects[name];
  return {
    ...order,
    lastModified: Math.max(order.lastModified, occurrence.time),
    lastModifiedBy: order.clerk,
    ...effect(order, occurrence),
  };
}

function changeJob(order: OrderState, change: Partial<PickJob>): Pick<OrderState, 'pickJobs'> {
  const current = currentPickJob(order);
  if (current?.status === 'open') return { pickJobs: [...order.pickJobs.slice(0, -1), { ...current, ...change }] };
  const id = pickJobId(order.orderId, order.pickJobs.length);
  return { pickJobs: [...order.pickJobs, { id, status: 'open', assigned: null, incomplete: false, ...change }] };
}
