import type { Milestone } from '../lifecycle/milestone.ts';
import type { Snapshot } from '../lifecycle/snapshot.ts';
import type { Operation } from './operation.ts';
import type { SubjectKind } from './subject.ts';

/** What an event says besides that it happened. */
interface EventDetails {
  /** `tplId:wmsEventId`, or a hash of the raw bytes where the message has no id: the dedupe key. */
  readonly id: string;
  /** The catalogue's name of the event, or `Reconciliation`. */
  readonly name: string;
  /** When it happened, in milliseconds since the epoch (UTC). */
  readonly time: number;
  /** Who did it; absent for the system itself. */
  readonly userId?: string;
  readonly pickJobId?: string;
  /** The line of the order that it is about. */
  readonly orderItemId?: string;
  /** The customer whose item it is about. */
  readonly customerId?: string;
  /** What the resource in the message showed, where that is the truth and there is nothing to GET. */
  readonly shown?: Snapshot;
  /** The warehouse does not list the subject any more. */
  readonly missing?: true;
}

/** Something that happened in the warehouse, as one delivery told it; bodies stay in the inbox. */
export interface WarehouseEvent extends EventDetails {
  /** The warehouse tenant (`tplId`) as text. */
  readonly tenant: string;
  readonly subject: SubjectKind;
  /** The id of the order, receipt, … within its tenant. */
  readonly subjectId: string;
}

/** An event with what the catalogue says of it, as a subject's lifecycle takes it. */
export interface PlannedEvent extends EventDetails {
  /** Null for what asks for a look and tells nothing by itself. */
  readonly milestone: Milestone | null;
  readonly plan: readonly Operation[];
}

/** When an observation was made and which event made it; null where none did, which is newer than any of the same time. */
export interface ObservationKey {
  readonly time: number;
  readonly eventId: string | null;
}

/** Orders observations by time, then by event id; ids of one tenant order as the numbers that they are. */
export function compareKeys(a: ObservationKey, b: ObservationKey): number {
  if (a.time !== b.time) return a.time - b.time;
  if (a.eventId === b.eventId) return 0;
  if (a.eventId === null || b.eventId === null) return a.eventId === null ? 1 : -1;
  if (a.eventId.length !== b.eventId.length) return a.eventId.length - b.eventId.length;
  return a.eventId < b.eventId ? -1 : 1;
}
