import type { Milestone } from '../lifecycle/milestone.ts';
import { findEntry } from './catalogue.ts';
import type { PlannedEvent, WarehouseEvent } from './event.ts';
import type { Operation } from './operation.ts';
import { retrievalOf } from './subject.ts';

/** The name of the event by which a sweep has a subject fetched that is not as the warehouse lists it. */
export const RECONCILIATION = 'Reconciliation';

/** The event with its milestone and its plan, by the catalogue of today. Undefined for a name that nothing matches. */
export function planEvent(event: WarehouseEvent): PlannedEvent | undefined {
  const known = meaningOf(event);
  if (!known) return undefined;
  const { tenant: _tenant, subject: _subject, subjectId: _subjectId, ...details } = event;
  return { ...details, ...known };
}

function meaningOf({
  name,
  subject,
  shown,
}: WarehouseEvent): { readonly milestone: Milestone | null; readonly plan: readonly Operation[] } | undefined {
  const retrieval = retrievalOf[subject];
  if (name === RECONCILIATION) return { milestone: null, plan: retrieval ? [retrieval] : [] };
  const entry = findEntry(name);
  // What the message showed need not be fetched.
  return entry && { milestone: entry.milestone, plan: shown ? [] : entry.retrieves };
}
