import type { Milestone } from '../lifecycle/milestone.ts';
import type { Snapshot } from '../lifecycle/snapshot.ts';
import { findEntry } from './catalogue.ts';
import type { Operation } from './operation.ts';
import { retrievalOf, type SubjectKind } from './subject.ts';

interface EventDetails {
  /** Dedupe key: `tplId:wmsEventId`, or a hash of the raw bytes if the message has no id. */
  readonly id: string;
  /** Name in the catalogue, `Reconciliation` or `Backfill`. */
  readonly name: string;
  /** Milliseconds since the epoch (UTC). */
  readonly time: number;
  /** User who caused it; absent for the system itself. */
  readonly userId?: string;
  readonly pickJobId?: string;
  readonly orderItemId?: string;
  /** Customer whose item it is about. */
  readonly customerId?: string;
  /** Customer that the message names, of whatever it is about. */
  readonly names?: string;
  /** The message names several customers of the one thing that it is about. */
  readonly disputed?: true;
  /** Snapshot of the resource in the message, if that makes a GET unnecessary. */
  readonly shown?: Snapshot;
  /** The message has the record itself, which is embedded if no GET returns it. */
  readonly carriesResource?: true;
  /** Time of the last change that this record has, as the warehouse writes it: usually local time without an offset. */
  readonly changedAt?: string;
  /** Row of a listing, with which a backfill makes the subject known. */
  readonly listed?: Snapshot;
  /** Trace of the delivery that reported it, as a W3C `traceparent`; absent without traces. */
  readonly trace?: string;
  /** The warehouse no longer lists the subject. */
  readonly missing?: true;
}

/** Event of the warehouse as one delivery reported it; its body stays in the inbox. */
export interface WarehouseEvent extends EventDetails {
  /** Warehouse tenant (`tplId`) as text. */
  readonly tenant: string;
  readonly subject: SubjectKind;
  readonly subjectId: string;
  /** Numbers of the record in the message, by which it is found until it is fetched. */
  readonly reference?: string;
  readonly poNumber?: string;
}

/** Event with its row of the catalogue, as a lifecycle observes it. */
export interface PlannedEvent extends EventDetails {
  /** Null for an event that only asks for a GET. */
  readonly milestone: Milestone | null;
  readonly plan: readonly Operation[];
}

/** Name of the event with which a sweep requests a GET of a subject that differs from the warehouse's listing. */
export const RECONCILIATION = 'Reconciliation';

/** Name of the event with which a backfill makes a subject known without announcing anything. */
export const BACKFILL = 'Backfill';

/** Adds an event's milestone and operations, from the current catalogue. Returns undefined for an unknown name. */
export function planEvent(event: WarehouseEvent): PlannedEvent | undefined {
  const known = meaningOf(event);
  if (!known) return undefined;
  const {
    tenant: _tenant,
    subject: _subject,
    subjectId: _id,
    reference: _reference,
    poNumber: _po,
    ...details
  } = event;
  return { ...details, ...known };
}

function meaningOf({ name, subject, shown }: WarehouseEvent): Pick<PlannedEvent, 'milestone' | 'plan'> | undefined {
  const retrieval = retrievalOf[subject];
  if (name === RECONCILIATION) return { milestone: null, plan: retrieval ? [retrieval] : [] };
  if (name === BACKFILL) return { milestone: null, plan: [] };
  const entry = findEntry(name);
  // A resource in the message replaces its GET.
  return entry && { milestone: entry.milestone, plan: shown ? [] : entry.retrieves };
}
