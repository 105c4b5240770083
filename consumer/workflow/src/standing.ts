import type { Milestone } from '../../src/announcement.ts';
import { placeOf } from '../../src/place.ts';
import type { SentAnnouncement } from './signal.ts';

/** Returns the milestone of an announcement, by its type: that is what was found to be known. */
export const milestoneOf = ({ type }: SentAnnouncement): Milestone =>
  type.slice(type.lastIndexOf('.') + 1) as Milestone;

/** Milestones that each one takes back. An order that is overdue was at risk before, so that both stand. */
const takenBackBy: { readonly [M in Milestone]?: readonly Milestone[] } = {
  fullyAllocated: ['allocationLost'],
  allocationLost: ['fullyAllocated'],
  pickerAssigned: ['pickerUnassigned'],
  pickerUnassigned: ['pickerAssigned'],
  excludedFromPickJob: ['picked'],
  picked: ['excludedFromPickJob'],
  itemPicked: ['itemUnpicked'],
  itemUnpicked: ['itemPicked'],
  itemPacked: ['itemUnpacked'],
  itemUnpacked: ['itemPacked'],
  confirmed: ['unconfirmed'],
  unconfirmed: ['confirmed'],
  deactivated: ['reactivated'],
  reactivated: ['deactivated'],
  placedOnHold: ['releasedFromHold'],
  releasedFromHold: ['placedOnHold'],
  stalled: ['resumed'],
  resumed: ['stalled'],
  atRisk: ['overdue', 'recovered'],
  overdue: ['recovered'],
  recovered: ['atRisk', 'overdue'],
};

/**
 * Adds an announcement to those of the milestones that stand, in the order in which they were taken: of each milestone the newest one, without what
 * it takes back. Returns undefined if it comes late and was itself taken back by something that happened after it.
 */
export function stand(
  standing: readonly SentAnnouncement[],
  announcement: SentAnnouncement,
): readonly SentAnnouncement[] | undefined {
  const others = standing.filter((other) => milestoneOf(other) !== milestoneOf(announcement));
  const takenBack = others.filter((other) => takesBack(announcement, other));
  if (takenBack.some((other) => happenedBefore(announcement, other))) return undefined;
  return [...others.filter((other) => !takenBack.includes(other)), announcement];
}

/** An event of one line of an order takes back nothing of another line. */
const takesBack = (announcement: SentAnnouncement, other: SentAnnouncement): boolean =>
  takenBackBy[milestoneOf(announcement)]?.includes(milestoneOf(other)) === true &&
  announcement.data.orderItemId === other.data.orderItemId;

/** Reports whether an announcement is of something that happened before another; what the clock tells late happens when it is told. */
const happenedBefore = ({ data, time }: SentAnnouncement, other: SentAnnouncement): boolean =>
  data.late && data.cause !== 'clock' && Date.parse(time) < Date.parse(other.time);

/** Returns the newest standing announcement of one of some milestones, taken after a revision. */
export const newestOf = (
  standing: readonly SentAnnouncement[],
  milestones: readonly Milestone[],
  after: number,
): SentAnnouncement | undefined =>
  standing.findLast((it) => milestones.includes(milestoneOf(it)) && placeOf(it).revision > after);
