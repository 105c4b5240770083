import type { Generated, GeneratedAlways, Kysely, SelectQueryBuilder } from 'kysely';
import type { AuditedAction, AuditOutcome, AuditTarget } from '../domain/audit.ts';
import type { ResourceKind } from '../domain/catalogue/enrichment.ts';
import type { PathName } from '../domain/catalogue/paths.ts';
import type { SubjectKind, SubjectRef, SweptKind } from '../domain/catalogue/subject.ts';
import type { FailureCode } from '../domain/errors.ts';
import type { AttemptOutcome } from '../domain/exchange.ts';
import type { Alert } from '../domain/health/alert.ts';
import type { ConditionName } from '../domain/health/condition.ts';
import type { TimedKind } from '../domain/lifecycle/lead-times.ts';
import type { Stage } from '../domain/lifecycle/stage.ts';
import type { Identity } from '../domain/routing.ts';
import type { Clock } from './engines/clock.ts';

/** Database of the store with the clock of this process, in milliseconds since the epoch. */
export interface StoreDeps {
  readonly db: Kysely<Database>;
  readonly now: () => number;
}

/** Database of the store with the clock that its processes share. */
export interface SharedDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
}

/** Database for queries of people and metrics, which must not delay a webhook, with its clock. */
export interface ListingDeps {
  readonly reads: Kysely<Database>;
  readonly now: () => number;
}

/** Step of a subject: it waits to be woken, to be recorded, to be announced, or for its record to be fetched again. */
type DueStep = 'wake' | 'woken' | 'recorded' | 'asleep';

/** Actions of people on everything that a filter names. */
export const bulkNames = ['refresh', 'resend', 'repeat', 'replay'] as const;

export type BulkName = (typeof bulkNames)[number];

/** Filter of a bulk action as it was given. */
export type BulkFilter = Readonly<Record<string, string>>;

/** Originator of a pause of a destination: a person, or Dockline itself. */
export type Pauser = 'person' | 'dockline';

/** Tables in the types that SQLite and PostgreSQL share: ids are text, times integer milliseconds, bodies bytes. */
export interface Database {
  /** Accepted deliveries. A row waits until it is observed or quarantined. */
  readonly inbox: {
    readonly id: Generated<number>;
    readonly event_id: string;
    readonly endpoint: string;
    readonly tenant: string;
    readonly subject_key: string | null;
    readonly event: string | null;
    readonly quarantine_reason: string | null;
    readonly received_at: number;
    readonly body: Uint8Array;
    /** Size of the body before gzip; null if it is stored as received. */
    readonly uncompressed_bytes: number | null;
    /** Time at which its event was applied to the lifecycle. */
    readonly observed_at: number | null;
    /** Customer of its subject after the event; null until that is known, and for what contradicts it. */
    readonly customer_id: Generated<string | null>;
    /** Rest of an observed row after purges: all of it, the event without its body, or only its dedupe key. */
    readonly retained: Generated<'all' | 'event' | 'key'>;
  };
  /** Subjects with something to do. */
  readonly due: {
    readonly subject_key: string;
    readonly step: DueStep;
    /** Time at which it is to be woken, was woken, was recorded, or is to be fetched again. */
    readonly at: number;
    /** Number of times that it was woken since it was recorded. */
    readonly attempts: number;
  };
  readonly subjects: {
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
    /** Time at which it was first stored. */
    readonly created_at: number;
    readonly updated_at: number;
    readonly stalled: Generated<number>;
    /** 1 if any of its announcements was dead-lettered. */
    readonly unannounced: Generated<number>;
    /** JSON array of the GETs that the warehouse refused permanently; null for none. */
    readonly refused: string | null;
    /** JSON of its `Cleared` marks; null if none were cleared since the last undo. */
    readonly cleared: string | null;
    readonly look_again_at: number | null;
    /** A `Trouble` as JSON while its GETs fail, and while its announcements do. */
    readonly retrieving: string | null;
    readonly announcing: string | null;
    /** Time at which a GET of it failed last, while its GETs fail. */
    readonly retrieving_at: number | null;
    /** JSON of its latest `Retrieval`s, oldest first; null for none. */
    readonly retrievals: string | null;
    /** JSON of its `RecordFacts`; null for none. */
    readonly facts: string | null;
    /** 1 if its attention columns say so. */
    readonly needs_attention: GeneratedAlways<number>;
    /** JSON object of the revisions that were last announced, by the identities of destinations. */
    readonly announced_to: Generated<string>;
    /** Time at which it is due, and from which it is at risk; null if no rule matches. They stay once it is over. */
    readonly due_at: number | null;
    readonly at_risk_at: number | null;
    /** Sentence that says which rule decided that, and why. */
    readonly due_because: string | null;
    /** Fingerprint of the rules by which that was computed; empty for none. */
    readonly due_rules: Generated<string>;
    /** Time at which the clock makes it late, later, or not late any more; null if it does not. */
    readonly late_at: number | null;
    /** Its reasons for attention as a text that those with equal ones share. */
    readonly attention_group: GeneratedAlways<string>;
    /** Name of who has taken it, and when; null if nobody has. */
    readonly taken_by: string | null;
    readonly taken_at: number | null;
  };
  /** Durations of the steps of closed subjects, in milliseconds; null where no event has told. */
  readonly lead_times: {
    readonly tenant: string;
    readonly kind: TimedKind;
    readonly subject_id: string;
    readonly customer_id: string | null;
    readonly facility_id: string | null;
    readonly carrier: string | null;
    readonly closed_at: number;
    /** One of as many equal parts of all subjects, by chance. */
    readonly sample: number;
    /** 1 if it was closed by its deadline, 0 if not; null if it had none. */
    readonly on_time: number | null;
    readonly allocated_ms: number | null;
    readonly picked_ms: number | null;
    readonly packed_ms: number | null;
    readonly shipped_ms: number | null;
    readonly whole_ms: number | null;
  };
  /** Notes of people on subjects. */
  readonly notes: {
    readonly id: Generated<number>;
    readonly tenant: string;
    readonly kind: SubjectKind;
    readonly subject_id: string;
    readonly written_at: number;
    readonly token: string;
    readonly operator: string | null;
    readonly text: string;
  };
  /** Texts whose beginnings find subjects, folded. */
  readonly search_terms: {
    readonly term: string;
    readonly tenant: string;
    readonly kind: SubjectKind;
    readonly subject_id: string;
  };
  readonly resources: {
    readonly tenant: string;
    readonly kind: ResourceKind;
    readonly id: string;
    readonly body: Uint8Array;
    readonly retrieved_at: number;
    /** Customer that it is of; null if nothing says whose it is, so that it is nobody's. */
    readonly customer_id: string | null;
  };
  /** Changes of subjects as they are announced, whoever receives them. */
  readonly announcements: {
    readonly id: string;
    readonly tenant: string;
    readonly kind: SubjectKind;
    readonly subject_id: string;
    readonly revision: number;
    /** Line of the timeline for the change. */
    readonly summary: string;
    readonly created_at: number;
    /** Customer to whose destinations it goes; null while that is unknown. */
    readonly customer_id: string | null;
    /** Size of the body as it was recorded, which outlasts its purge. */
    readonly bytes: Generated<number>;
    readonly body: Uint8Array;
  };
  /** Announcements on their way to a destination, until it has acknowledged them and after. */
  readonly outbox: {
    readonly announcement: string;
    /** Identity of a destination of its tenant. */
    readonly destination: Identity;
    readonly tenant: string;
    readonly kind: SubjectKind;
    readonly subject_id: string;
    readonly revision: number;
    /** Revision of the announcement before it of this subject that goes to this destination; null for the first. */
    readonly previous: number | null;
    readonly created_at: number;
    /** Start of the time for which sending is retried: when it was recorded or last requeued. */
    readonly tried_since: number;
    /** Process that took the last lease, and when it began. */
    readonly leased_by: string | null;
    readonly leased_at: number | null;
    /** End of the current lease, which also identifies it; null if there is none. */
    readonly leased_until: number | null;
    readonly attempts: Generated<number>;
    /** Last answer of the destination: status, duration in milliseconds, and error. */
    readonly last_status: number | null;
    readonly last_ms: number | null;
    readonly last_error: string | null;
    readonly sent_at: number | null;
    /** Time and reason of dead-lettering; a late acknowledgment may follow. */
    readonly dead_lettered_at: number | null;
    readonly dead_letter_reason: string | null;
    /** Names of the members whose records the destination did not get, separated by commas; null if it got all of them. */
    readonly left_out: string | null;
    /** Time at which somebody asked to have it sent now; null once its workflow knows. */
    readonly hurried_at: number | null;
    /** Time at which somebody had it sent again, though it was acknowledged or never meant for the destination; null if nobody had. */
    readonly replayed_at: number | null;
  };
  /** Last attempts to send announcements to destinations. */
  readonly attempts: {
    readonly announcement: string;
    readonly destination: string;
    readonly tenant: string;
    /** Counts those of an announcement and a destination, from 1. */
    readonly number: number;
    /** Time of its end. */
    readonly at: number;
    readonly ms: number;
    readonly outcome: AttemptOutcome;
    /** HTTP status; null if there was no answer, and for a broker. */
    readonly status: number | null;
    readonly error: string | null;
    /** JSON object of the request's headers, in which secrets are masked; null for a broker, and if nothing was sent. */
    readonly request_headers: string | null;
    /** First kilobyte of the answer's body, whatever it is; null if there was none. */
    readonly answer: Uint8Array | null;
  };
  /** Destinations that were added while Dockline runs, and the state of all that were ever paused or failing. */
  readonly destinations: {
    readonly tenant: string;
    readonly id: Identity;
    readonly name: string;
    /** JSON of its settings without secrets; null for one that is configured. */
    readonly settings: string | null;
    /** Its secrets, sealed; null for one that is configured. */
    readonly sealed: Uint8Array | null;
    readonly updated_at: number;
    /** Time since which nothing is sent to it, who has stopped that, and why; null if something is. */
    readonly paused_at: number | null;
    readonly paused_by: Pauser | null;
    readonly paused_because: string | null;
    /** Time since which every attempt has failed, with the last error; null if the last one did not. */
    readonly failing_since: number | null;
    readonly last_error: string | null;
    /** Key of the last subject that was woken since it was resumed, or its waits were ended; null if all were, empty before the first. */
    readonly resumed_up_to: string | null;
  };
  /** Latest answers of each warehouse to GETs: `ok`, or the status of a failure (`none` without an answer). */
  readonly answers: {
    readonly tenant: string;
    readonly operation: PathName;
    readonly outcome: string;
    /** Code of the failure; null for `ok`. */
    readonly code: FailureCode | null;
    /** Successes: beginning of the time in which they came at least once a minute. Failures: the first one since the last success. */
    readonly since: number;
    /** Time of the last one. */
    readonly at: number;
    /** Time of the last success before `since`; null if there was none, and for failures. */
    readonly before: number | null;
  };
  /** Why records of a kind cannot be asked for together, the last time that was tried. */
  readonly page_limits: {
    readonly tenant: string;
    readonly kind: SweptKind;
    readonly reason: string;
    readonly since: number;
    readonly at: number;
  };
  /** Token of each credential of a warehouse, sealed with its secret. */
  readonly tokens: {
    readonly credential: string;
    readonly sealed: Uint8Array;
    readonly obtained_at: number;
  };
  /** Processes that run activities. */
  readonly processes: {
    readonly id: string;
    readonly heartbeat_at: number;
  };
  /** Slots of the warehouses' rates: one that is free may be taken for a call. */
  readonly rate_slots: {
    readonly warehouse: string;
    readonly slot: number;
    readonly free_at: number;
  };
  /** Erasures of what was stored of a subject, with the numbers of rows. */
  readonly erasures: {
    readonly id: Generated<number>;
    readonly tenant: string;
    readonly kind: SubjectKind;
    readonly subject_id: string;
    readonly erased_at: number;
    readonly erased_by: string;
    readonly deliveries: number;
    readonly resources: number;
    readonly announcements: number;
    readonly notes: number;
  };
  /** Actions of people. */
  readonly audit: {
    readonly id: Generated<number>;
    readonly at: number;
    readonly token: string;
    readonly operator: string | null;
    readonly action: AuditedAction;
    readonly target_type: AuditTarget['type'];
    readonly target: string;
    /** Subject that it concerns; null for none. */
    readonly subject_key: string | null;
    /** Null until the action has ended. */
    readonly outcome: AuditOutcome | null;
    readonly detail: string | null;
  };
  /** Actions on everything that a filter named, from their previews on. */
  readonly bulk_actions: {
    readonly id: Generated<number>;
    readonly action: BulkName;
    readonly filter: string;
    /** Destination of a repetition; null for one that is known by its name. */
    readonly identity: Identity | null;
    readonly state: 'previewed' | 'running' | 'done' | 'canceled';
    readonly created_at: number;
    /** Text that names who chose it, and the name of their token. */
    readonly created_by: string;
    readonly token: string;
    readonly expires_at: number;
    readonly total: number;
    /** JSON array of its first items. */
    readonly sample: string;
    /** Place of the last item that was tried, in the order of its action; empty before the first. */
    readonly position: Generated<string>;
    readonly done: Generated<number>;
    readonly asked: Generated<number>;
    readonly failed: Generated<number>;
    /** JSON array of the first items that failed, with the reasons. */
    readonly failures: Generated<string>;
    readonly trouble: string | null;
    readonly confirmed_at: number | null;
    readonly finished_at: number | null;
    /** Entry of the audit log. */
    readonly audit_id: number | null;
  };
  /** Conditions that hold for somebody who is told of them, or did; JSON of their alerts. */
  readonly alerts: {
    /** Name of the part of the installation that they concern. */
    readonly audience: string;
    readonly condition: ConditionName;
    readonly about: string;
    readonly phase: Alert['phase'];
    /** Beginning of its phase. */
    readonly since: number;
    readonly gone_since: number | null;
    /** JSON of what was found last, and of what each channel was told. */
    readonly finding: string;
    readonly told: string;
  };
  /** Messages to channels. One that was not confirmed yet is tried again. */
  readonly alert_messages: {
    readonly id: string;
    readonly channel: string;
    readonly made_at: number;
    readonly title: string;
    /** JSON array of what it tells. */
    readonly news: string;
    readonly attempts: Generated<number>;
    readonly next_try_at: number;
    readonly last_error: string | null;
    /** Time of the confirmation, and the channel that gave it. */
    readonly told_at: number | null;
    readonly told_by: string | null;
  };
  /** Conditions of which nobody is told until a time. */
  readonly alert_silences: {
    readonly condition: ConditionName;
    readonly until: number;
    readonly silenced_by: string;
  };
  /** Names of events that people have given a meaning. */
  readonly event_names: {
    /** `ordershipped`, or for one family `order/ordershipped`. */
    readonly key: string;
    /** Name in the catalogue, or `ignore`. */
    readonly meaning: string;
    readonly accepted_at: number;
    readonly accepted_by: string;
  };
  /** Single row: the process that looks for what is wrong, and when it did last. */
  readonly alert_watch: {
    readonly id: number;
    readonly leased_by: string | null;
    readonly leased_at: number | null;
    readonly leased_until: number | null;
    readonly watched_at: number | null;
    /** Last time for which no process looked. */
    readonly away_from: number | null;
    readonly away_until: number | null;
  };
}

/** Counts the rows of a selection. */
export async function countOf<Table extends keyof Database>(
  rows: SelectQueryBuilder<Database, Table, unknown>,
): Promise<number> {
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return count;
}

/** Returns the columns that identify a subject. */
export const subjectColumns = ({ tenant, kind, id }: SubjectRef) => ({ tenant, kind, subject_id: id });

/** Reads the columns that identify a subject. */
export const subjectIn = ({ tenant, kind, subject_id: id }: ReturnType<typeof subjectColumns>): SubjectRef => ({
  tenant,
  kind,
  id,
});
