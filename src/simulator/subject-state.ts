import type { Stage } from '../domain/stage.ts';
import type { MovementState } from './movement-state.ts';
import type { OrderState } from './order-state.ts';

/** What the warehouse has of one order, receipt, adjustment or assembly. */
export type SubjectState = OrderState | MovementState;

/** The stage that a subject is truly in, read off its fields. */
export function trueStage(state: SubjectState): Stage {
  if (state.deleted) return 'deleted';
  if (state.status === 2) return 'canceled';
  if (state.status === 1) return 'confirmed';
  return reachedInWork(state) ?? (state.deferNotification ? 'created' : 'completed');
}

function reachedInWork(state: SubjectState): Stage | undefined {
  if (state.kind !== 'order') return undefined;
  if (state.packDone !== null) return 'packed';
  if (state.packStarted !== null) return 'packing';
  if (state.pickDone !== null) return 'picked';
  return state.fullyAllocated ? 'fullyAllocated' : undefined;
}
