import type { Milestone } from '../lifecycle/milestone.ts';
import type { Snapshot } from '../lifecycle/snapshot.ts';
import { findEntry } from './catalogue.ts';
import type { Operation } from './operation.ts';
import { retrievalOf, type SubjectKind } from './subject.ts';

interface EventDetails {
  /** Dedupe key: `tplId:wmsEventId`, or a hash of the raw bytes. */
  readonly id: string;
  /** Name in the catalogue, `Reconciliation` or `Backfill`. */
  readonly name: string;
  readonly time: number;
  /** Absent for the system itself. */
  readonly userId?: string;
  readonly pickJobId?: string;
  readonly orderItemId?: string;
  /** Whose item it is about. */
  readonly customerId?: string;
  /** Customer that the message names, whatever it is about. */
  readonly names?: string;
  readonly disputed?: true;
  /** From the message, if that makes a GET unnecessary. */
  readonly shown?: Snapshot;
  /** The message has the record, which is embedded if no GET returns it. */
  readonly carriesResource?: true;
  /** Last change of that record, as the warehouse writes it: usually local time without an offset. */
  readonly changedAt?: string;
  /** Row with which a backfill makes the subject known. */
  readonly listed?: Snapshot;
  readonly trace?: string;
  readonly missing?: true;
}

/** As one delivery reported it; its body stays in the inbox. */
export interface WarehouseEvent extends EventDetails {
  readonly tenant: string;
  readonly subject: SubjectKind;
  readonly subjectId: string;
  /** By which the record is found until it is fetched. */
  readonly reference?: string;
  readonly poNumber?: string;
}

export interface PlannedEvent extends EventDetails {
  /** Null for an event that only asks for a GET. */
  readonly milestone: Milestone | null;
  readonly plan: readonly Operation[];
}

/** With it a sweep requests a GET of a subject that differs from the listing. */
export const RECONCILIATION = 'Reconciliation';

/** With it a backfill makes a subject known without announcing anything. */
export const BACKFILL = 'Backfill';

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
  return entry && { milestone: entry.milestone, plan: shown ? [] : entry.retrieves };
}
