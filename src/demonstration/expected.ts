import { findEntry } from '../domain/catalogue.ts';
import { type Milestone, milestones } from '../domain/milestone.ts';
import type { OrderTruth } from '../simulator/simulator.ts';

type TrueEvent = OrderTruth['events'][number];

/** What a GET of an order shows, so that it is announced even where no delivery told of it. */
const shownByOrder: ReadonlySet<Milestone> = new Set<Milestone>([
  'created',
  'fullyAllocated',
  'picked',
  'packStarted',
  'packed',
  'confirmed',
  'canceled',
]);

/**
 * The milestones that must be announced of an order, from the simulator's own record: one for each event that was
 * delivered, and one for each that was not but that the order went on to show to a later GET.
 */
export function expectedMilestones({ events }: Pick<OrderTruth, 'events'>): Milestone[] {
  return events
    .filter((event, index) => event.fate === 'delivered' || isShownLater(events, index))
    .map(({ milestone }) => milestone);
}

function isShownLater(events: readonly TrueEvent[], index: number): boolean {
  const milestone = events[index]?.milestone;
  if (!milestone || !shownByOrder.has(milestone)) return false;
  const after = events.slice(index + 1);
  const { register } = milestones[milestone];
  const changedNothing = events.slice(0, index).some((event) => event.milestone === milestone);
  const takenBack = after.some((event) => milestones[event.milestone].register === register);
  const fetched = after.some(
    ({ name, fate }) => fate === 'delivered' && findEntry(name)?.retrieves.includes('getOrder'),
  );
  const removed = after.some((event) => event.milestone === 'deleted');
  return fetched && !changedNothing && !takenBack && !removed;
}
