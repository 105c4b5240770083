import { findEntry } from '../../src/domain/catalogue/catalogue.ts';
import { isRow, retrievalOf, subjectKey } from '../../src/domain/catalogue/subject.ts';
import { type Milestone, milestones } from '../../src/domain/lifecycle/milestone.ts';
import { clockMilestones } from '../../src/domain/lifecycle/observe.ts';
import type { SubjectTruth } from '../simulator/state/book.ts';

/** Milestones that a GET shows, so that they are announced even if their event was not delivered. */
const shownByGet: ReadonlySet<Milestone> = new Set<Milestone>([
  'created',
  'fullyAllocated',
  'picked',
  'packStarted',
  'packed',
  'confirmed',
  'canceled',
]);

/** Milestones that no event reports, so that none is missing if they are not announced. */
const withoutEvent: readonly Milestone[] = ['deactivated', 'reactivated', 'allocationLost', ...clockMilestones];

/**
 * Returns the milestones of a subject that must be announced: one for each delivered event, and one for each other event
 * whose change a later GET showed. Stock has none, since its events coalesce.
 */
export function expectedMilestones({ kind, events }: Pick<SubjectTruth, 'kind' | 'events'>): Milestone[] {
  if (isRow(kind)) return [];
  return events
    .filter((event, index) => event.fate === 'delivered' || isShownLater(kind, events, index))
    .map(({ milestone }) => milestone);
}

function isShownLater(kind: SubjectTruth['kind'], events: SubjectTruth['events'], index: number): boolean {
  const operation = retrievalOf[kind];
  const milestone = events[index]?.milestone;
  if (!operation || !milestone || !shownByGet.has(milestone)) return false;
  const after = events.slice(index + 1);
  const { register } = milestones[milestone];
  const isRepeated = events.slice(0, index).some((event) => event.milestone === milestone);
  const isReverted = after.some((event) => milestones[event.milestone].register === register);
  const isRetrieved = after.some(
    ({ name, fate }) => fate === 'delivered' && findEntry(name)?.retrieves.includes(operation),
  );
  const isDeleted = after.some((event) => event.milestone === 'deleted');
  return isRetrieved && !isRepeated && !isReverted && !isDeleted;
}

/** Reports whether an announcement with that id is about stock. */
export const isOfStock = (id: string): boolean => id.startsWith('stock:');

/** Compares the announcements that should have been received with the distinct ids of those that were, stock excepted. */
export function compareAnnouncements(truth: readonly SubjectTruth[], ids: readonly string[]) {
  const expected = truth.flatMap((subject) =>
    expectedMilestones(subject).map((milestone) => `${subjectKey(subject)} ${milestone}`),
  );
  const received = ids.filter((id) => !isOfStock(id)).map(withoutRevision);
  const reported = received.filter((name) => !withoutEvent.some((milestone) => name.endsWith(` ${milestone}`)));
  return {
    expected: expected.length,
    received: reported.length,
    /** Expected but not received, as `order:9104:31004581 packed`. */
    missing: unmatched(expected, received),
    /** Received more often than expected. */
    surplus: unmatched(reported, expected),
  };
}

/** Converts `order:9104:31004581/3/packed` to `order:9104:31004581 packed`, since the simulator does not know revisions. */
const withoutRevision = (id: string): string => id.replace(/\/\d+\//, ' ');

/** Returns the names that the others do not contain, counting repetitions. */
function unmatched(names: readonly string[], others: readonly string[]): string[] {
  const unused = Map.groupBy(others, (name) => name);
  return names.filter((name) => unused.get(name)?.pop() === undefined);
}
