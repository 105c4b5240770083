import type { Generated, GeneratedAlways } from 'kysely';
import type { ResourceKind } from '../domain/catalogue/enrichment.ts';
import type { SubjectKind } from '../domain/catalogue/subject.ts';
import type { Stage } from '../domain/lifecycle/stage.ts';

/** The tables, in types that SQLite and PostgreSQL share: ids are text, times integer milliseconds, bodies bytes. */
export interface Database {
  readonly inbox: InboxTable;
  readonly dispatches: DispatchesTable;
  readonly subjects: SubjectsTable;
  readonly resources: ResourcesTable;
  readonly announcements: AnnouncementsTable;
  readonly processes: ProcessesTable;
}

/** One row for each delivery that was accepted; it waits while it is neither quarantined nor observed. */
interface InboxTable {
  readonly id: Generated<number>;
  readonly event_id: string;
  readonly endpoint: string;
  readonly tenant: string;
  readonly subject_key: string | null;
  readonly event: string | null;
  readonly quarantine_reason: string | null;
  readonly received_at: number;
  readonly body: Uint8Array;
  /** How many bytes came, where they are kept gzipped; null where they are as they came. */
  readonly uncompressed_bytes: number | null;
  /** When what it says was recorded. */
  readonly observed_at: number | null;
  /** What is left of an observed row: all of it, what the event told but not its bytes, or only its dedupe key. */
  readonly kept: Generated<'all' | 'event' | 'key'>;
}

/** The subjects whose workflows were woken and have not recorded what waited since. */
interface DispatchesTable {
  readonly subject_key: string;
  readonly dispatched_at: number;
}

interface SubjectsTable {
  readonly tenant: string;
  readonly kind: SubjectKind;
  readonly subject_id: string;
  readonly stage: Stage;
  readonly stage_since: number;
  readonly revision: number;
  readonly lifecycle: string;
  readonly reference_number: string | null;
  readonly customer_id: string | null;
  readonly facility_id: string | null;
  readonly last_event_at: number;
  readonly updated_at: number;
  readonly stalled: Generated<number>;
  /** Announcements of it were given up. */
  readonly unannounced: Generated<number>;
  /** The GETs that the warehouse refused for good, a JSON array; null for none. */
  readonly refused: string | null;
  /** A `Trouble` as JSON while its GETs fail, and while its announcements do. */
  readonly retrieving: string | null;
  readonly announcing: string | null;
  /** 1 where any of the five above says so. */
  readonly marked: GeneratedAlways<number>;
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
  /** The change as a line of the timeline. */
  readonly summary: string;
  readonly created_at: number;
  /** From when on it counts how long it fails: since it was recorded, or asked for again. */
  readonly tried_since: number;
  /** Until when the process that sends it has it to itself. */
  readonly leased_until: number | null;
  readonly attempts: Generated<number>;
  /** The destination's last answer: its status, how long it took in milliseconds, and what was wrong with it. */
  readonly last_status: number | null;
  readonly last_ms: number | null;
  readonly last_error: string | null;
  readonly sent_at: number | null;
  /** When it was given up, and what the destination said; it may have been sent since. */
  readonly dead_lettered_at: number | null;
  readonly dead_letter_reason: string | null;
  readonly body: Uint8Array;
}

/** The processes that run activities, each with the time of its last sign of life. */
interface ProcessesTable {
  readonly id: string;
  readonly seen_at: number;
}
