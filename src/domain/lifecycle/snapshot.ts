import type { Milestone } from './milestone.ts';

/** How much there is of a thing, in units, by the names of the warehouse's stock summary. */
export interface StockLevels {
  readonly totalReceived?: number;
  readonly allocated?: number;
  readonly available?: number;
  readonly onHold?: number;
  readonly onHand?: number;
}

/**
 * The few facts of a subject that decide its life, as one GET, or the resource in a message, showed them; what a kind does not
 * have is absent.
 */
export interface Snapshot {
  /** `gone` where the warehouse has it no more. */
  readonly status?: 'open' | 'closed' | 'canceled' | 'gone';
  readonly fullyAllocated?: boolean;
  readonly pickDone?: boolean;
  readonly packStarted?: boolean;
  readonly packDone?: boolean;
  /** How many lines an order has; absent where they were not fetched. */
  readonly lineCount?: number;
  /** Whether an item is out of use. */
  readonly deactivated?: boolean;
  readonly levels?: StockLevels;
  /** Whether a received item is on hold. */
  readonly onHold?: boolean;
  /** The customer's own number for it; the SKU of what has one. */
  readonly referenceNumber?: string;
  readonly customerId?: string;
  readonly customerName?: string;
  readonly facilityId?: string;
  readonly facilityName?: string;
  /** The pick job that an order's links name. */
  readonly pickJobId?: string;
}

/** The milestones that a snapshot shows as reached, in the order in which they are passed. */
export function shownMilestones(snapshot: Snapshot): Milestone[] {
  const { status, deactivated } = snapshot;
  const shown: [Milestone, boolean | undefined][] = [
    ['created', (status !== undefined && status !== 'gone') || deactivated !== undefined],
    ['fullyAllocated', snapshot.fullyAllocated],
    ['deactivated', deactivated],
    ['picked', snapshot.pickDone],
    ['packStarted', snapshot.packStarted],
    ['packed', snapshot.packDone],
    ['confirmed', status === 'closed'],
    ['canceled', status === 'canceled'],
    ['deleted', status === 'gone'],
  ];
  return shown.filter(([, reached]) => reached).map(([milestone]) => milestone);
}

/** The milestones that a snapshot shows as taken back, each with the milestone that it denies. */
export function deniedMilestones(snapshot: Snapshot): { denied: Milestone; by: Milestone }[] {
  const denials: { denied: Milestone; by: Milestone }[] = [];
  if (snapshot.fullyAllocated === false) denials.push({ denied: 'fullyAllocated', by: 'allocationLost' });
  if (snapshot.deactivated === false) denials.push({ denied: 'deactivated', by: 'reactivated' });
  if (snapshot.status === 'open') denials.push({ denied: 'confirmed', by: 'unconfirmed' });
  return denials;
}

/** Every milestone that a snapshot shows to stand: reached, or taken back. */
export function standingMilestones(snapshot: Snapshot): Milestone[] {
  return [...shownMilestones(snapshot), ...deniedMilestones(snapshot).map(({ by }) => by)];
}

/** Whether two snapshots show the same amounts. */
export function sameLevels(a: StockLevels | undefined, b: StockLevels | undefined): boolean {
  const names = ['totalReceived', 'allocated', 'available', 'onHold', 'onHand'] as const;
  return names.every((name) => a?.[name] === b?.[name]);
}
