import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { AuditedAction, AuditOutcome, AuditTarget } from '../domain/audit.ts';
import type { ResourceKind } from '../domain/catalogue/enrichment.ts';
import type { PathName } from '../domain/catalogue/operation.ts';
import type { SubjectKind, SubjectRef, SweptKind, TimedKind } from '../domain/catalogue/subject.ts';
import type { FailureCode } from '../domain/errors.ts';
import type { AttemptOutcome } from '../domain/exchange.ts';
import type { Alert } from '../domain/health/alert.ts';
import type { ConditionName } from '../domain/health/condition.ts';
import type { Stage } from '../domain/lifecycle/stage.ts';
import type { QuarantineCode } from '../domain/quarantine.ts';
import type { Identity } from '../domain/routing.ts';
import {
  attentionGroup,
  attentionGroupForCustomers,
  needsAttention,
  needsAttentionForCustomers,
} from './attention-columns.ts';
import { bigint, bytes, counter, integer, key, type RowOf, table, text } from './columns.ts';
import type { Clock } from './engines/clock.ts';

/** `now` is the clock of this process, in milliseconds since the epoch. */
export interface StoreDeps {
  readonly db: Kysely<Database>;
  readonly now: () => number;
}

/** `clock` is the one that all processes share. */
export interface SharedDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
}

/** `reads` is for people and metrics, which must not delay a webhook. */
export interface ListingDeps {
  readonly reads: Kysely<Database>;
  readonly now: () => number;
}

/** Step of a subject: it waits to be woken, to be recorded, to be announced, or for its record to be fetched again. */
type DueStep = 'wake' | 'woken' | 'recorded' | 'asleep';

export const bulkNames = ['refresh', 'resend', 'repeat', 'replay'] as const;

export type BulkName = (typeof bulkNames)[number];

export type BulkFilter = Readonly<Record<string, string>>;

export type Pauser = 'person' | 'dockline';

const ofSubject = { tenant: key().shown(), kind: key<SubjectKind>().shown(), subject_id: key().shown() };

/** Process that took the last lease, when it began and when it ends, which also identifies it; null if there is none. */
const lease = { leased_by: text().orNull(), leased_at: bigint().orNull(), leased_until: bigint().orNull() };

/** Each table once: the first migration makes them, statements have their types from here, and limited connections their rows. */
export const tables = {
  /** Accepted deliveries. A row waits until it is observed or quarantined. */
  inbox: table('customer', [], {
    id: counter(),
    event_id: key().unique(),
    endpoint: text(),
    tenant: key(),
    subject_key: key().orNull(),
    event: text().orNull(),
    /** Numbers of an order, without capitals, by which it is found while it waits; null without one. */
    reference: text().orNull(),
    po_number: text().orNull(),
    quarantine_code: key<QuarantineCode>().orNull(),
    /** The rest of the reason as JSON. */
    quarantine_data: key().orNull(),
    received_at: bigint(),
    /** Time at which its event was applied to the lifecycle. */
    observed_at: bigint().orNull(),
    /** Rest of an observed row after purges: all of it, the event without its body, or only its dedupe key. */
    retained: key<'all' | 'event' | 'key'>().default('all'),
    /** Size of the body before gzip; null if it is stored as received. */
    uncompressed_bytes: integer().orNull(),
    /** Customer of its subject after the event; null until that is known, and for what contradicts it. */
    customer_id: key().orNull(),
    body: bytes(),
  }),
  event_names: table('nobody', ['key'], {
    /** `ordershipped`, or for one family `order/ordershipped`. */
    key: key(),
    /** Name in the catalogue, or `ignore`. */
    meaning: text(),
    accepted_at: bigint(),
    accepted_by: text(),
  }),
  due: table('nobody', ['subject_key'], {
    subject_key: key(),
    step: text<DueStep>(),
    /** Time at which it is to be woken, was woken, was recorded, or is to be fetched again. */
    at: bigint(),
    /** Number of times that it was woken since it was recorded. */
    attempts: integer(),
  }),
  subjects: table('customerInPart', ['tenant', 'kind', 'subject_id'], {
    ...ofSubject,
    stage: key<Stage>().shown(),
    stage_since: bigint().shown(),
    revision: integer().shown(),
    lifecycle: text().shown(),
    reference_number: key().orNull().shown(),
    customer_id: key().orNull().shown(),
    facility_id: text().orNull().shown(),
    /** Its carrier, as its facts have it. */
    carrier: key().orNull().shown(),
    last_event_at: bigint().shown(),
    created_at: bigint().shown(),
    updated_at: bigint().shown(),
    stalled: integer().default(0).shown(),
    /** 1 if any of its announcements was dead-lettered. */
    unannounced: integer().default(0),
    /** JSON array of the GETs that the warehouse refused permanently; null for none. */
    refused: text().orNull().shown(),
    /** JSON of its `Cleared` marks; null if none were cleared since the last undo. */
    cleared: text().orNull(),
    look_again_at: bigint().orNull().shown(),
    /** JSON object of the revisions that were last announced, by the identities of destinations. */
    announced_to: text().default('{}'),
    /** JSON of its `RecordFacts`; null for none. */
    facts: text().orNull().shown(),
    /** An `ActivityFailure` as JSON while its GETs fail, and one while its announcements do. */
    retrieving: text().orNull().shown(),
    /** Time at which a GET of it failed last, while its GETs fail. */
    retrieving_at: bigint().orNull().shown(),
    /** JSON of its latest `Retrieval`s, oldest first; null for none. */
    retrievals: text().orNull(),
    announcing: text().orNull(),
    /** Time at which it is due, and from which it is at risk; null if no rule matches. They stay once it is over. */
    due_at: bigint().orNull().shown(),
    at_risk_at: bigint().orNull().shown(),
    /** Sentence that says which rule decided that, and why. */
    due_because: text().orNull().shown(),
    /** Fingerprint of the rules by which that was computed; empty for none. */
    due_rules: text().default('').shown(),
    /** IANA name of the zone in which that is said. */
    due_zone: text().orNull().shown(),
    /** Its `Told` forecast, the rest of it as JSON; null where too little is known to compare it with. */
    expected_at: bigint().orNull().shown(),
    changes: integer().orNull().shown(),
    told_at: bigint().orNull().shown(),
    rule_at: bigint().orNull().shown(),
    /** It says how many orders are ahead, which may be of others. */
    forecast: text().orNull(),
    /** Time at which the clock makes it late, later, or not late any more; null if it does not. */
    late_at: bigint().orNull().shown(),
    /** 1 if its attention columns say so. */
    needs_attention: integer().computed(needsAttention, needsAttentionForCustomers),
    /** Its reasons for attention as a text that those with equal ones share. */
    attention_group: key().computed(attentionGroup, attentionGroupForCustomers),
    taken_by: text().orNull(),
    taken_at: bigint().orNull(),
  }),
  /** Durations of the steps of closed subjects, in milliseconds; null where no event has told. */
  lead_times: table('customer', ['tenant', 'kind', 'subject_id'], {
    ...ofSubject,
    kind: key<TimedKind>(),
    customer_id: key().orNull(),
    facility_id: key().orNull(),
    carrier: key().orNull(),
    closed_at: bigint(),
    /** One of as many equal parts of all subjects, by chance. */
    sample: integer(),
    /** Time by which it was to be closed, from which its rule called it at risk, and at which that was told; null where there is none. */
    due_at: bigint().orNull(),
    rule_at: bigint().orNull(),
    told_at: bigint().orNull(),
    allocated_ms: bigint().orNull(),
    picked_ms: bigint().orNull(),
    packed_ms: bigint().orNull(),
    shipped_ms: bigint().orNull(),
    whole_ms: bigint().orNull(),
  }),
  /** Texts whose beginnings find subjects, folded. */
  search_terms: table('subject', ['term', 'tenant', 'kind', 'subject_id'], {
    term: key(),
    ...ofSubject,
  }),
  resources: table('customer', ['tenant', 'kind', 'id'], {
    tenant: key(),
    kind: key<ResourceKind>(),
    id: key(),
    body: bytes(),
    retrieved_at: bigint(),
    /** Customer that it is of; null if nothing says whose it is, so that it is nobody's. */
    customer_id: text().orNull(),
  }),
  notes: table('account', [], {
    id: counter(),
    ...ofSubject,
    written_at: bigint(),
    token: text(),
    operator: text().orNull(),
    text: text(),
  }),
  /** Changes of subjects as they are announced, whoever receives them. */
  announcements: table('customer', ['id'], {
    id: key(),
    ...ofSubject,
    revision: integer(),
    summary: text(),
    created_at: bigint(),
    /** Customer to whose destinations it goes; null while that is unknown. */
    customer_id: key().orNull(),
    /** Size of the body as it was recorded, which outlasts its purge. */
    bytes: integer().default(0),
    body: bytes(),
  }),
  /** Announcements on their way to a destination, until it has acknowledged them and after. */
  outbox: table('receiver', ['announcement', 'destination'], {
    announcement: key(),
    destination: key<Identity>(),
    ...ofSubject,
    revision: integer(),
    /** Revision of the announcement before it of this subject that goes to this destination; null for the first. */
    previous: integer().orNull(),
    created_at: bigint(),
    /** Start of the time for which sending is retried: when it was recorded or last requeued. */
    tried_since: bigint(),
    ...lease,
    attempts: integer().default(0),
    last_status: integer().orNull(),
    last_ms: integer().orNull(),
    last_error: text().orNull(),
    sent_at: bigint().orNull(),
    /** A late acknowledgment may follow. */
    dead_lettered_at: bigint().orNull(),
    dead_letter_reason: text().orNull(),
    /** Names of the members whose records the destination did not get, separated by commas; null if it got all of them. */
    left_out: text().orNull(),
    /** Time at which somebody asked to have it sent now; null once its workflow knows. */
    hurried_at: bigint().orNull(),
    /** Time at which somebody had it sent again, though it was acknowledged or never meant for the destination; null if nobody had. */
    replayed_at: bigint().orNull(),
  }),
  /** Last attempts to send announcements to destinations. */
  attempts: table('receiver', ['announcement', 'destination', 'number'], {
    announcement: key(),
    destination: key(),
    tenant: key(),
    /** Counts those of an announcement and a destination, from 1. */
    number: integer(),
    /** Time of its end. */
    at: bigint(),
    ms: integer(),
    outcome: key<AttemptOutcome>(),
    /** HTTP status; null if there was no answer, and for a broker. */
    status: integer().orNull(),
    error: text().orNull(),
    /** JSON object of the request's headers, in which secrets are masked; null for a broker, and if nothing was sent. */
    request_headers: text().orNull(),
    /** First kilobyte of the answer's body, whatever it is; null if there was none. */
    answer: bytes().orNull(),
  }),
  /** Destinations that are configured or were added, with their state; one that is neither any more stays for its name. */
  destinations: table('destination', ['tenant', 'id'], {
    tenant: key(),
    id: key<Identity>(),
    name: key(),
    /** JSON of its settings without secrets as the configuration has them, which then count; null for one that it has not. */
    configured: text().orNull(),
    /** JSON of the settings, without secrets, with which it was added; null for one that was not. */
    settings: text().orNull(),
    /** Its secrets, sealed; null for one that was not added. */
    sealed: bytes().orNull(),
    updated_at: bigint(),
    /** Time since which nothing is sent to it, who has stopped that, and why; null if something is. */
    paused_at: bigint().orNull(),
    paused_by: text<Pauser>().orNull(),
    paused_because: text().orNull(),
    /** 1 if it was ever paused. */
    was_paused: integer().default(0),
    /** Time since which every attempt has failed, with the last error; null if the last one did not. */
    failing_since: bigint().orNull(),
    last_error: text().orNull(),
    /** Time until which it wants nothing (`Retry-After`); once that has passed, it stays until an attempt has ended. Null if it has not asked. */
    quiet_until: bigint().orNull(),
    /** Key of the last subject that was woken since it was resumed, or its waits were ended; null if all were, empty before the first. */
    resumed_up_to: text().orNull(),
  }),
  /** Latest answers of each warehouse to GETs: `ok`, or the status of a failure (`none` without an answer). */
  answers: table('everybody', ['tenant', 'operation', 'outcome'], {
    tenant: key(),
    operation: key<PathName>(),
    outcome: key(),
    /** Code of the failure; null for `ok`. */
    code: text<FailureCode>().orNull(),
    /** Successes: beginning of the time in which they came at least once a minute. Failures: the first one since the last success. */
    since: bigint(),
    /** Time of the last one. */
    at: bigint(),
    /** Time of the last success before `since`; null if there was none, and for failures. */
    before: bigint().orNull(),
  }),
  /** Why records of a kind cannot be asked for together, the last time that was tried. */
  page_limits: table('everybody', ['tenant', 'kind'], {
    tenant: key(),
    kind: key<SweptKind>(),
    reason: text(),
    since: bigint(),
    at: bigint(),
  }),
  /** Slots of the warehouses' rates: one that is free may be taken for a call. */
  rate_slots: table('nobody', ['warehouse', 'slot'], {
    warehouse: key(),
    slot: integer(),
    free_at: bigint(),
  }),
  /** Token of each credential of a warehouse, sealed with its secret. */
  tokens: table('nobody', ['credential'], {
    credential: key(),
    sealed: bytes(),
    obtained_at: bigint(),
  }),
  processes: table('nobody', ['id'], {
    id: key(),
    heartbeat_at: bigint(),
  }),
  /** Sessions of the board whose readers have signed out, until they would have ended by themselves. */
  ended_sessions: table('nobody', ['session'], {
    session: key(),
    ends_at: bigint(),
  }),
  /** One row, made at the first start. */
  installation: table('nobody', ['row'], {
    row: integer(),
    id: text(),
  }),
  erasures: table('account', [], {
    id: counter(),
    ...ofSubject,
    erased_at: bigint(),
    erased_by: text(),
    deliveries: integer(),
    resources: integer(),
    announcements: integer(),
    notes: integer(),
  }),
  audit: table('token', [], {
    id: counter(),
    at: bigint(),
    token: text(),
    operator: text().orNull(),
    action: text<AuditedAction>(),
    target_type: text<AuditTarget['type']>(),
    target: text(),
    subject_key: key().orNull(),
    /** Null until the action has ended. */
    outcome: text<AuditOutcome>().orNull(),
    detail: text().orNull(),
  }),
  /** Actions on everything that a filter named, from their previews on. */
  bulk_actions: table('token', [], {
    id: counter(),
    action: text<BulkName>(),
    filter: text(),
    state: text<'previewed' | 'running' | 'done' | 'canceled'>(),
    created_at: bigint(),
    /** Text that names who chose it, and the name of their token. */
    created_by: text(),
    token: text(),
    /** Destination of a repetition; null for one that is known by its name. */
    identity: text<Identity>().orNull(),
    expires_at: bigint(),
    total: integer(),
    /** JSON array of its first items. */
    sample: text(),
    /** Until then a process works on it, or nobody tries it again. */
    leased_at: bigint().orNull(),
    leased_until: bigint().orNull(),
    /** Place of the last item that was tried, in the order of its action; empty before the first. */
    position: text().default(''),
    done: integer().default(0),
    asked: integer().default(0),
    failed: integer().default(0),
    /** JSON array of the first items that failed, with the reasons. */
    failures: text().default('[]'),
    trouble: text().orNull(),
    confirmed_at: bigint().orNull(),
    finished_at: bigint().orNull(),
    audit_id: bigint().orNull(),
  }),
  /** Conditions that hold for somebody who is told of them, or did; JSON of their alerts. */
  alerts: table('nobody', ['audience', 'condition', 'about'], {
    /** Name of the part of the installation that they concern. */
    audience: key(),
    condition: key<ConditionName>(),
    about: key(),
    phase: text<Alert['phase']>(),
    /** Beginning of its phase. */
    since: bigint(),
    gone_since: bigint().orNull(),
    /** JSON of what was found last, and of what each channel was told. */
    finding: text(),
    told: text(),
  }),
  /** Messages to channels. One that was not confirmed yet is tried again. */
  alert_messages: table('nobody', ['id'], {
    id: key(),
    channel: text(),
    made_at: bigint(),
    title: text(),
    /** JSON array of what it tells. */
    news: text(),
    attempts: integer().default(0),
    next_try_at: bigint(),
    last_error: text().orNull(),
    /** Time of the confirmation. */
    told_at: bigint().orNull(),
  }),
  alert_silences: table('nobody', ['condition'], {
    condition: key<ConditionName>(),
    until: bigint(),
    silenced_by: text(),
  }),
  /** Of incidents, by their names, as they were then. */
  acknowledgements: table('nobody', ['incident'], {
    incident: key(),
    by: text(),
    at: bigint(),
    sort: text(),
    count: bigint(),
  }),
  /** Single row: the process that looks for what is wrong, and when it did last. */
  alert_watch: table('nobody', ['id'], {
    id: integer(),
    ...lease,
    watched_at: bigint().orNull(),
    /** Last time for which no process looked. */
    away_from: bigint().orNull(),
    away_until: bigint().orNull(),
  }),
};

export type Database = { readonly [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]['columns']> };

export async function countOf<Table extends keyof Database>(
  rows: SelectQueryBuilder<Database, Table, unknown>,
): Promise<number> {
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return count;
}

export const subjectColumns = ({ tenant, kind, id }: SubjectRef) => ({ tenant, kind, subject_id: id });

export const subjectIn = ({ tenant, kind, subject_id: id }: ReturnType<typeof subjectColumns>): SubjectRef => ({
  tenant,
  kind,
  id,
});
