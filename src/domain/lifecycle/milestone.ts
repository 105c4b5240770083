import type { Snapshot } from './snapshot.ts';

interface MilestoneRow {
  /** Shared by milestones that take each other back. */
  readonly register: string;
  /** A milestone without an event is inferred before an event of a higher rank is announced. */
  readonly rank: number;
  /** Of a subject whose furthest milestone this is. */
  readonly stage?: string;
  /** Nothing more is expected, though it may come: what is closed can be reopened. */
  readonly isLast?: true;
  /** Undefined if the snapshot says nothing about it. */
  readonly isShown?: (snapshot: Snapshot) => boolean | undefined;
  /** Taken back by a snapshot that shows this one. */
  readonly takesBack?: string;
  /** Only the newest waiting event is announced: it says everything. */
  readonly coalesces?: true;
}

const hasStatus =
  (wanted: Snapshot['status']) =>
  ({ status }: Snapshot): boolean | undefined =>
    status && status === wanted;

/** Adjustments and assemblies, whose snapshots say whether they are completed, are neither closed nor reopened. */
const hasClosing = (wanted: 'open' | 'closed') => (snapshot: Snapshot) =>
  snapshot.completed === undefined ? hasStatus(wanted)(snapshot) : undefined;

/** Stock and holds have no record of their own and are not created. */
const isThere = ({ status, levels, onHold }: Snapshot): boolean =>
  status !== 'gone' && levels === undefined && onHold === undefined;

/** An absent date may be unset or not shown. */
const isSet = (fact: 'pickDone' | 'packStarted' | 'packDone') => (snapshot: Snapshot) => snapshot[fact] || undefined;

const not = (fact: boolean | undefined): boolean | undefined => (fact === undefined ? undefined : !fact);

/** In the order in which a subject passes them; no kind passes all. To add a milestone, add a row. */
export const milestones = {
  created: { register: 'existence', rank: 0, stage: 'created', isShown: isThere },
  completed: { register: 'completion', rank: 1, stage: 'completed', isShown: (it) => it.completed },
  updated: { register: 'change', rank: 1 },
  fullyAllocated: { register: 'allocation', rank: 2, stage: 'fullyAllocated', isShown: (it) => it.fullyAllocated },
  allocationLost: {
    register: 'allocation',
    rank: 2,
    takesBack: 'fullyAllocated',
    isShown: (it) => not(it.fullyAllocated),
  },
  pickerAssigned: { register: 'picker', rank: 3 },
  pickerUnassigned: { register: 'picker', rank: 3 },
  excludedFromPickJob: { register: 'pick', rank: 4 },
  picked: { register: 'pick', rank: 4, stage: 'picked', isShown: isSet('pickDone') },
  itemPicked: { register: 'itemPick', rank: 4 },
  itemUnpicked: { register: 'itemPick', rank: 4 },
  packStarted: { register: 'packStart', rank: 5, stage: 'packing', isShown: isSet('packStarted') },
  itemPacked: { register: 'itemPack', rank: 5 },
  itemUnpacked: { register: 'itemPack', rank: 5 },
  packed: { register: 'pack', rank: 6, stage: 'packed', isShown: isSet('packDone') },
  confirmed: { register: 'closing', rank: 7, stage: 'confirmed', isLast: true, isShown: hasClosing('closed') },
  unconfirmed: { register: 'closing', rank: 7, takesBack: 'confirmed', isShown: hasClosing('open') },
  canceled: { register: 'cancelation', rank: 8, stage: 'canceled', isLast: true, isShown: hasStatus('canceled') },
  deactivated: { register: 'activity', rank: 2, stage: 'deactivated', isLast: true, isShown: (it) => it.deactivated },
  reactivated: { register: 'activity', rank: 2, takesBack: 'deactivated', isShown: (it) => not(it.deactivated) },
  changed: { register: 'level', rank: 0, stage: 'current', isLast: true, coalesces: true },
  placedOnHold: { register: 'hold', rank: 0, stage: 'onHold', isLast: true },
  releasedFromHold: { register: 'hold', rank: 0, stage: 'released', isLast: true },
  deleted: { register: 'deletion', rank: 9, stage: 'deleted', isLast: true, isShown: hasStatus('gone') },
  stalled: { register: 'attention', rank: 0 },
  resumed: { register: 'attention', rank: 0 },
  atRisk: { register: 'lateness', rank: 0 },
  overdue: { register: 'lateness', rank: 0 },
  recovered: { register: 'lateness', rank: 0 },
} as const satisfies Record<string, MilestoneRow>;

export type Milestone = keyof typeof milestones;

type Row = (typeof milestones)[Milestone];

interface StageRow {
  readonly meaning: string;
  /** Usual longest stay of an order, in days: a week until the warehouse begins, and a long weekend for each later step. */
  readonly usualDays?: number;
}

export const stageRows = {
  created: { meaning: 'known, and nothing below is reached', usualDays: 7 },
  completed: { meaning: 'marked as complete', usualDays: 7 },
  fullyAllocated: { meaning: 'stock is reserved for every line', usualDays: 4 },
  picked: { meaning: 'the pick job is done', usualDays: 4 },
  packing: { meaning: 'packing has begun', usualDays: 4 },
  packed: { meaning: 'everything is packed', usualDays: 4 },
  confirmed: { meaning: 'closed; an order has shipped' },
  canceled: { meaning: 'canceled' },
  deactivated: { meaning: 'out of use' },
  current: { meaning: 'the levels are those of the last announcement' },
  onHold: { meaning: 'must not be used for now' },
  released: { meaning: 'may be used again' },
  deleted: { meaning: "removed from the warehouse's database" },
} as const satisfies { readonly [S in Extract<Row, { readonly stage: string }>['stage']]: StageRow };

type Register = Row['register'];

/** Lines of an order have some of their own: `itemPick:310045810`. */
export type RegisterKey = Register | `${Register}:${string}`;

const entries = Object.entries(milestones) as [Milestone, Row][];

export function registerOf(milestone: Milestone, orderItemId?: string): RegisterKey {
  const { register } = milestones[milestone];
  return orderItemId === undefined ? register : `${register}:${orderItemId}`;
}

export const inOrder = (reached: Iterable<Milestone>): Milestone[] => {
  const known = new Set(reached);
  return entries.flatMap(([milestone]) => (known.has(milestone) ? [milestone] : []));
};

export const isLast = (milestone: Milestone): boolean => 'isLast' in milestones[milestone];

export const coalesces = (milestone: Milestone): boolean => 'coalesces' in milestones[milestone];

export function shownMilestones(snapshot: Snapshot): Milestone[] {
  return entries.flatMap(([milestone, row]) => (!('takesBack' in row) && isShown(row, snapshot) ? [milestone] : []));
}

export function deniedMilestones(snapshot: Snapshot): { denied: Milestone; by: Milestone }[] {
  return entries.flatMap(([by, row]) =>
    'takesBack' in row && isShown(row, snapshot) ? [{ denied: row.takesBack, by }] : [],
  );
}

export function standingMilestones(snapshot: Snapshot): Milestone[] {
  return entries.flatMap(([milestone, row]) => (isShown(row, snapshot) ? [milestone] : []));
}

export const isOfRecord = (milestone: Milestone): boolean => 'isShown' in milestones[milestone];

/** A record shows such a milestone from the beginning. */
export const isTakingBack = (milestone: Milestone): boolean => 'takesBack' in milestones[milestone];

export function denies(snapshot: Snapshot, milestone: Milestone): boolean {
  const row: Row = milestones[milestone];
  return 'isShown' in row && row.isShown(snapshot) === false;
}

const isShown = (row: Row, snapshot: Snapshot): boolean => 'isShown' in row && row.isShown(snapshot) === true;

export const milestoneIn = (id: string): Milestone => id.slice(id.lastIndexOf('/') + 1) as Milestone;
