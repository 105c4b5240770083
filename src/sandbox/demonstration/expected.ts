import { findEntry } from '../../domain/catalogue/catalogue.ts';
import type { Operation } from '../../domain/catalogue/operation.ts';
import { retrievalOf } from '../../domain/catalogue/subject.ts';
import { type Milestone, milestones } from '../../domain/lifecycle/milestone.ts';
import type { SubjectTruth } from '../simulator/simulator.ts';

type TrueEvent = SubjectTruth['events'][number];

/** What a GET of a subject shows, so that it is announced even where no delivery told of it. */
const shownByGet: ReadonlySet<Milestone> = new Set<Milestone>([
  'created',
  'fullyAllocated',
  'picked',
  'packStarted',
  'packed',
  'confirmed',
  'canceled',
]);

/**
 * The milestones that must be announced of a subject, from the simulator's own record: one for each event that was
 * delivered, and one for each that was not but that a later GET went on to show. None for stock, whose events coalesce.
 */
export function expectedMilestones({ kind, events }: Pick<SubjectTruth, 'kind' | 'events'>): Milestone[] {
  if (kind === 'stock') return [];
  return events
    .filter((event, index) => event.fate === 'delivered' || isShownLater(retrievalOf[kind], events, index))
    .map(({ milestone }) => milestone);
}

function isShownLater(operation: Operation | null, events: readonly TrueEvent[], index: number): boolean {
  const milestone = events[index]?.milestone;
  if (!operation || !milestone || !shownByGet.has(milestone)) return false;
  const after = events.slice(index + 1);
  const { register } = milestones[milestone];
  const changedNothing = events.slice(0, index).some((event) => event.milestone === milestone);
  const takenBack = after.some((event) => milestones[event.milestone].register === register);
  const fetched = after.some(
    ({ name, fate }) => fate === 'delivered' && findEntry(name)?.retrieves.includes(operation),
  );
  const removed = after.some((event) => event.milestone === 'deleted');
  return fetched && !changedNothing && !takenBack && !removed;
}
