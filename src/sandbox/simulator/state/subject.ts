import type { Stage } from '../../../domain/lifecycle/stage.ts';
import type { HoldState } from './hold.ts';
import type { ItemState } from './item.ts';
import type { MovementState } from './movement.ts';
import type { OrderState } from './order.ts';
import type { StockState } from './stock.ts';

/** What the warehouse has of one order, receipt, item, … */
export type SubjectState = OrderState | MovementState | ItemState | StockState | HoldState;

/** The stage that a subject is truly in, read off its fields. */
export function trueStage(state: SubjectState): Stage {
  if (state.deleted) return 'deleted';
  switch (state.kind) {
    case 'item':
      return state.deactivated ? 'deactivated' : 'created';
    case 'stock':
      return 'current';
    case 'hold':
      return state.onHold ? 'onHold' : 'released';
    default:
      return stageOfTransaction(state);
  }
}

function stageOfTransaction(state: OrderState | MovementState): Stage {
  if (state.status === 2) return 'canceled';
  if (state.status === 1) return 'confirmed';
  return reachedInWork(state) ?? (state.deferNotification ? 'created' : 'completed');
}

function reachedInWork(state: OrderState | MovementState): Stage | undefined {
  if (state.kind !== 'order') return undefined;
  if (state.packDone !== null) return 'packed';
  if (state.packStarted !== null) return 'packing';
  if (state.pickDone !== null) return 'picked';
  return state.fullyAllocated ? 'fullyAllocated' : undefined;
}
