import { system } from '../state/directory.ts';
import { currentPickJob, type OrderState, type PickJob, pickJobId } from '../state/order.ts';
import type { Effect } from './occurrence.ts';

/** What each event of an order changes in it, by the catalogue's names. */
export const orderEffects = {
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
  OrderPickJobDone: (order, { time, incomplete = false }) => ({
    ...changeJob(order, { status: 'done', assigned: order.picker, incomplete }),
    pickDone: incomplete ? order.pickDone : time,
    lastModifiedBy: order.picker,
  }),
  OrderPackStarted: (_, { time }) => ({ packStarted: time }),
  OrderPackComplete: (_, { time }) => ({ packDone: time }),
} as const satisfies Record<string, Effect<OrderState>>;

function changeJob(order: OrderState, change: Partial<PickJob>): Pick<OrderState, 'pickJobs'> {
  const current = currentPickJob(order);
  if (current?.status === 'open') return { pickJobs: [...order.pickJobs.slice(0, -1), { ...current, ...change }] };
  const id = pickJobId(order.id, order.pickJobs.length);
  return { pickJobs: [...order.pickJobs, { id, status: 'open', assigned: null, incomplete: false, ...change }] };
}
