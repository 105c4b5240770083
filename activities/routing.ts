import { customersNamedBy } from '../src/domain/catalogue/record-customer.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Decision, Routed } from '../src/domain/decision.ts';
import type { SavedSubject } from '../src/domain/lifecycle/attention.ts';
import { contradicts } from '../src/domain/lifecycle/customers.ts';
import { milestoneIn } from '../src/domain/lifecycle/milestone.ts';
import { byDestination, type OutgoingIds } from '../src/domain/outgoing.ts';
import { route } from '../src/domain/routing.ts';
import type { Recording } from '../src/subjects/tables/subjects.ts';
import type { ActivityDeps } from './ports/deps.ts';

/** Leaves out announcements to paused destinations. */
export const idsOf = (routed: readonly Routed<{ readonly id: string }>[], paused: readonly string[]): OutgoingIds =>
  byDestination(
    routed.flatMap(({ id, destinations }) =>
      destinations.filter((name) => !paused.includes(name)).map((destination) => ({ id, destination })),
    ),
  );

/** Puts ids behind the earlier ones of the same destination. */
export const behind = (earlier: OutgoingIds, ids: OutgoingIds): OutgoingIds =>
  Object.fromEntries(
    Object.entries(ids).map(([destination, later]) => [destination, [...(earlier[destination] ?? []), ...later]]),
  );

/**
 * Returns the earlier announcements of a subject whose customer has just become known. A record of another customer is
 * taken out of them.
 */
export async function routeLate(
  { lateRecord }: ActivityDeps,
  subject: SubjectRef,
  { known, customerId }: { readonly known: SavedSubject; readonly customerId: string | undefined },
  recording: Recording,
): Promise<Decision['late']> {
  if (known.lifecycle.revision === 0 || known.customerId !== undefined || customerId === undefined) return undefined;
  return (await recording.unrouted()).map(({ body, ...announcement }) => {
    const record = lateRecord.recordOf({ body });
    const isOfAnother =
      record !== undefined && customersNamedBy(record).some((named) => contradicts(named, customerId));
    const milestone = milestoneIn(announcement.id);
    const change = { kind: subject.kind, milestone };
    const before = route(recording.destinations, { ...change, customerId: null });
    const destinations = route(recording.destinations, { ...change, customerId }).filter(
      (name) => !before.includes(name),
    );
    return { ...announcement, destinations, ...(isOfAnother && { body: lateRecord.removed({ body }) }) };
  });
}
