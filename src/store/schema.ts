import type { Generated } from 'kysely';
import type { ResourceKind } from '../domain/enrichment.ts';
import type { Stage } from '../domain/stage.ts';
import type { SubjectKind } from '../domain/subject.ts';

/** The tables, in types that SQLite and PostgreSQL share: ids are text, times integer milliseconds, bodies bytes. */
export interface Database {
  readonly inbox: InboxTable;
  readonly subjects: SubjectsTable;
  readonly resources: ResourcesTable;
  readonly announcements: AnnouncementsTable;
}

/** One row for each delivery that was accepted; it waits while it is neither parked nor dispatched. */
interface InboxTable {
  readonly id: Generated<number>;
  readonly event_id: string;
  readonly endpoint: string;
  readonly tenant: string;
  readonly subject_key: string | null;
  readonly event: string | null;
  readonly parked_reason: string | null;
  readonly received_at: number;
  readonly body: Uint8Array;
  /** How many bytes came, where they are kept gzipped; null where they are as they came. */
  readonly uncompressed_bytes: number | null;
  readonly dispatched_at: number | null;
  /** What is left of a dispatched row: all of it, what the event told but not its bytes, or only its dedupe key. */
  readonly kept: Generated<'all' | 'event' | 'key'>;
}

interface SubjectsTable {
  readonly tenant: string;
  readonly kind: SubjectKind;
  readonly subject_id: string;
  readonly stage: Stage;
  readonly revision: number;
  readonly lifecycle: string;
  readonly reference_number: string | null;
  readonly customer_id: string | null;
  readonly facility_id: string | null;
  readonly needs_attention: number;
  readonly last_event_at: number;
  readonly updated_at: number;
}

interface ResourcesTable {
  readonly tenant: string;
  readonly kind: ResourceKind;
  readonly id: string;
  readonly body: Uint8Array;
  readonly retrieved_at: number;
}

interface AnnouncementsTable {
  readonly id: string;
  readonly tenant: string;
  readonly kind: SubjectKind;
  readonly subject_id: string;
  readonly revision: number;
  readonly body: Uint8Array;
  readonly created_at: number;
  readonly sent_at: number | null;
  /** When it was given up, and what the destination said; it may have been sent since. */
  readonly parked_at: number | null;
  readonly parked_reason: string | null;
}
