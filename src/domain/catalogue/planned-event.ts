import type { Milestone } from '../lifecycle/milestone.ts';
import { findEntry } from './catalogue.ts';
import type { PlannedEvent, WarehouseEvent } from './event.ts';
import type { Operation } from './operation.ts';
import { retrievalOf } from './subject.ts';

/** Name of the event with which a sweep requests a GET of a subject that differs from the warehouse's listing. */
export const RECONCILIATION = 'Reconciliation';

/** Name of the event with which a backfill makes a subject known without announcing anything. */
export const BACKFILL = 'Backfill';

/** Adds an event's milestone and operations, from the current catalogue. Returns undefined for an unknown name. */
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
  if (name === BACKFILL) return { milestone: null, plan: [] };
  const entry = findEntry(name);
  // A resource in the message replaces its GET.
  return entry && { milestone: entry.milestone, plan: shown ? [] : entry.retrieves };
}
