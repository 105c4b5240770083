/**
 * The points of a lifecycle and the register that each of them writes. No kind of subject passes all of them.
 *
 * Milestones that take each other back share a register. `rank` orders what a snapshot shows: where no event told of an
 * earlier milestone, it is inferred before a later one is announced. Of what coalesces only the newest of all that waits is
 * announced: it says everything that those before it said.
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
  itemPicked: { register: 'itemPick', rank: 4 },
  itemUnpicked: { register: 'itemPick', rank: 4 },
  packStarted: { register: 'packStart', rank: 5 },
  itemPacked: { register: 'itemPack', rank: 5 },
  itemUnpacked: { register: 'itemPack', rank: 5 },
  packed: { register: 'pack', rank: 6 },
  confirmed: { register: 'closing', rank: 7 },
  unconfirmed: { register: 'closing', rank: 7 },
  canceled: { register: 'cancelation', rank: 8 },
  updated: { register: 'change', rank: 1 },
  deactivated: { register: 'activity', rank: 2 },
  reactivated: { register: 'activity', rank: 2 },
  changed: { register: 'level', rank: 0, coalesces: true },
  placedOnHold: { register: 'hold', rank: 0 },
  releasedFromHold: { register: 'hold', rank: 0 },
  deleted: { register: 'deletion', rank: 9 },
  stalled: { register: 'attention', rank: 0 },
  resumed: { register: 'attention', rank: 0 },
} as const satisfies Record<string, MilestoneRow>;

interface MilestoneRow {
  readonly register: string;
  readonly rank: number;
  readonly coalesces?: true;
}

/** A point of the lifecycle that was reached or taken back. */
export type Milestone = keyof typeof milestones;

type Register = (typeof milestones)[Milestone]['register'];

/** What the last observation wins in; each line of an order has its own of some: `itemPick:310045810`. */
export type RegisterKey = Register | `${Register}:${string}`;

/** The register that a milestone of the subject, or of one line of it, writes. */
export function registerOf(milestone: Milestone, orderItemId?: string): RegisterKey {
  const { register } = milestones[milestone];
  return orderItemId === undefined ? register : `${register}:${orderItemId}`;
}

/** Whether of all that waits only the newest is announced. */
export function coalesces(milestone: Milestone): boolean {
  return 'coalesces' in milestones[milestone];
}
