import { assumed, dated, type Kind, listed } from '../kind.ts';

/** Paths and largest page are guessed from those of receipts. */
export const adjustment = {
  plural: 'adjustments',
  words: ['adjustment'],
  id: 'readOnly.adjustmentId',
  isIdGuessed: true,
  segments: 'adjustments?',
  operations: {
    getAdjustment: { path: '/inventory/adjustments/{id}', returns: 'adjustments' },
    getAdjustments: { path: '/inventory/adjustments', returns: 'lists of adjustments' },
  },
  retrieval: 'getAdjustment',
  listing: { operation: 'getAdjustments', pageLimit: 500, ...listed },
  lastStages: ['completed'],
  events: [
    assumed('created', 'AdjustmentCreate', 'Create', [], 'getAdjustment'),
    assumed('completed', 'AdjustmentConfirm', 'Confirm', [], 'getAdjustment'),
    assumed('canceled', 'AdjustmentCancel', 'Cancel', [], 'getAdjustment'),
    assumed('updated', 'AdjustmentUpdate', 'Update', [], 'getAdjustment'),
    assumed('deleted', 'AdjustmentDelete', 'Delete', ['adjustmentdeleted']),
  ],
  announced: {
    created: 'Somebody began to correct stock.',
    updated: 'The correction was changed.',
    completed: 'The correction was marked as complete: it counts.',
    canceled: 'The correction was canceled.',
    deleted: "The correction was removed from the warehouse's database.",
    ...dated,
  },
} as const satisfies Kind;
