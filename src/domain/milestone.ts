/**
 * The points of a lifecycle and the register that each of them writes. Orders pass all, receipts, adjustments and assemblies some.
 *
 * Milestones that take each other back share a register. `rank` orders what a snapshot shows: where no event told of an
 * earlier milestone, it is inferred before a later one is announced.
 */
export const milestones = {
  created: { register: 'existence', rank: 0 },
  completed: { register: 'completion', rank: 1 },
  fullyAllocated: { register: 'allocation', rank: 2 },
  allocationLost: { register: 'allocation', rank: 2 },
  pickerAssigned: { register: 'picker', rank: 3 },
  pickerUnassigned: { register: 'picker', rank: 3 },
  excludedFromPickJob: { register: 'pick', rank: 4 },
  picked: { register: 'pick', rank: 4 },
  packStarted: { register: 'packStart', rank: 5 },
  packed: { register: 'pack', rank: 6 },
  confirmed: { register: 'closing', rank: 7 },
  unconfirmed: { register: 'closing', rank: 7 },
  canceled: { register: 'cancelation', rank: 8 },
  updated: { register: 'change', rank: 1 },
  deleted: { register: 'deletion', rank: 9 },
  stalled: { register: 'attention', rank: 0 },
  resumed: { register: 'attention', rank: 0 },
} as const;

/** A point of the lifecycle that was reached or taken back. */
export type Milestone = keyof typeof milestones;

/** What the last observation wins in. */
export type Register = (typeof milestones)[Milestone]['register'];
