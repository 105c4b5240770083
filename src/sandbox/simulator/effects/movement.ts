import type { MovementState } from '../state/movement.ts';
import type { Effect } from './occurrence.ts';

const unchanged: Effect<MovementState> = () => ({});
const complete: Effect<MovementState> = () => ({ deferNotification: false });
const close: Effect<MovementState> = (_, { time }) => ({ status: 1, processed: time });
const reopen: Effect<MovementState> = () => ({ status: 0, processed: null });
const cancel: Effect<MovementState> = () => ({ status: 2 });
const remove: Effect<MovementState> = () => ({ deleted: true });

/**
 * What each event of a receipt, adjustment or assembly changes in it, by the catalogue's names. An adjustment or assembly
 * that is "marked as Complete" (specification 3) is taken to be closed by it, as nothing else closes one.
 */
export const movementEffects = {
  ReceiptCreate: unchanged,
  ReceiptComplete: complete,
  ReceiptUpdate: unchanged,
  ReceiptConfirm: close,
  ReceiptUnconfirm: reopen,
  ReceiptCancel: cancel,
  ReceiptDelete: remove,
  AdjustmentCreate: unchanged,
  AdjustmentConfirm: close,
  AdjustmentCancel: cancel,
  AdjustmentUpdate: unchanged,
  AdjustmentDelete: remove,
  AssemblyCreate: unchanged,
  AssemblyCancel: cancel,
  AssemblyDelete: remove,
  AssemblyUpdate: unchanged,
  AssemblyConfirm: close,
} as const;
