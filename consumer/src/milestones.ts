// Written by `npm run vectors`.

/** Types of announcements that this version knows, as the milestones of each kind: `dockline.{kind}.{milestone}`. */
export const milestonesOf = {
  order: [
    'created',
    'completed',
    'updated',
    'fullyAllocated',
    'allocationLost',
    'pickerAssigned',
    'pickerUnassigned',
    'excludedFromPickJob',
    'picked',
    'itemPicked',
    'itemUnpicked',
    'packStarted',
    'itemPacked',
    'itemUnpacked',
    'packed',
    'confirmed',
    'unconfirmed',
    'canceled',
    'deleted',
    'stalled',
    'resumed',
    'atRisk',
    'overdue',
    'recovered',
  ],
  receipt: [
    'created',
    'completed',
    'updated',
    'confirmed',
    'unconfirmed',
    'canceled',
    'deleted',
    'atRisk',
    'overdue',
    'recovered',
  ],
  adjustment: ['created', 'updated', 'completed', 'canceled', 'deleted', 'atRisk', 'overdue', 'recovered'],
  assembly: ['created', 'updated', 'completed', 'canceled', 'deleted', 'atRisk', 'overdue', 'recovered'],
  item: ['created', 'updated', 'deactivated', 'reactivated', 'deleted'],
  stock: ['changed'],
  hold: ['placedOnHold', 'releasedFromHold'],
} as const;

/** Place at which a subject stands. */
export type Stage =
  | 'created'
  | 'completed'
  | 'fullyAllocated'
  | 'picked'
  | 'packing'
  | 'packed'
  | 'confirmed'
  | 'canceled'
  | 'deactivated'
  | 'current'
  | 'onHold'
  | 'released'
  | 'deleted';
