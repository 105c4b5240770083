import type { Milestone } from './milestone.ts';

/** The few facts of a subject that decide its life, as one GET showed them; what only orders have is absent from the others. */
export interface Snapshot {
  readonly status: 'open' | 'closed' | 'canceled';
  readonly fullyAllocated?: boolean;
  readonly pickDone?: boolean;
  readonly packStarted?: boolean;
  readonly packDone?: boolean;
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
  const shown: [Milestone, boolean | undefined][] = [
    ['created', true],
    ['fullyAllocated', snapshot.fullyAllocated],
    ['picked', snapshot.pickDone],
    ['packStarted', snapshot.packStarted],
    ['packed', snapshot.packDone],
    ['confirmed', snapshot.status === 'closed'],
    ['canceled', snapshot.status === 'canceled'],
  ];
  return shown.filter(([, reached]) => reached).map(([milestone]) => milestone);
}

/** The milestones that a snapshot shows as taken back, each with the milestone that it denies. */
export function deniedMilestones(snapshot: Snapshot): { denied: Milestone; by: Milestone }[] {
  const denials: { denied: Milestone; by: Milestone }[] = [];
  if (snapshot.fullyAllocated === false) denials.push({ denied: 'fullyAllocated', by: 'allocationLost' });
  if (snapshot.status === 'open') denials.push({ denied: 'confirmed', by: 'unconfirmed' });
  return denials;
}

/** Every milestone that a snapshot shows to stand: reached, or taken back. */
export function standingMilestones(snapshot: Snapshot): Milestone[] {
  return [...shownMilestones(snapshot), ...deniedMilestones(snapshot).map(({ by }) => by)];
}
