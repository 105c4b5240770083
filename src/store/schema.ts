import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { AuditedAction, AuditOutcome, AuditTarget } from '../domain/audit.ts';
import type { ResourceKind } from '../domain/catalogue/enrichment.ts';
import type { PathName } from '../domain/catalogue/operation.ts';
import type { SubjectKind, SubjectRef, SweptKind, TimedKind } from '../domain/catalogue/subject.ts';
import type { FailureCode } from '../domain/errors.ts';
import type { Alert } from '../domain/health/alert.ts';
import type { ConditionName } from '../domain/health/condition.ts';
import type { Stage } from '../domain/lifecycle/stage.ts';
import type { AttemptOutcome } from '../domain/outgoing.ts';
import type { QuarantineCode } from '../domain/quarantine.ts';
import type { Identity } from '../domain/routing.ts';
import {
  bigint,
  bytes,
  counter,
  integer,
  key,
  needsAttention,
  needsAttentionForCustomers,
  type RowOf,
  table,
  text,
} from './columns.ts';
import type { Clock } from './engines/dialect.ts';

/** `now`: clock of this process. */
export interface StoreDeps {
  readonly db: Kysely<Database>;
  readonly now: () => number;
}

/** `clock`: shared by all processes. */
export interface SharedDeps {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
}

/** Waits to be woken, recorded, announced, or fetched again. */
type DueStep = 'wake' | 'woken' | 'recorded' | 'idle';

export const bulkNames = ['refresh', 'resend', 'replay', 'reprocess'] as const;

export type BulkName = (typeof bulkNames)[number];

export type BulkFilter = Readonly<Record<string, string>>;

export type Pauser = 'person' | 'dockline';

const ofSubject = { tenant: key().shown(), kind: key<SubjectKind>().shown(), subject_id: key().shown() };

/** `leased_until` also identifies the lease. */
const lease = { leased_by: text().orNull(), leased_at: bigint().orNull(), leased_until: bigint().orNull() };

/** The first migration makes them, statements have their types from here, and limited connections their rows. */
export const tables = {
  /** A row waits until it is observed or quarantined. */
  inbox: table('customer', [], {
    id: counter(),
    event_id: key().unique(),
    endpoint: text(),
    tenant: key(),
    subject_key: key().orNull(),
    event: text().orNull(),
    /** In small letters, to find an order while it waits. */
    reference: text().orNull(),
    po_number: text().orNull(),
    quarantine_code: key<QuarantineCode>().orNull(),
    quarantine_data: key().orNull(),
    received_at: bigint(),
    /** When its event was applied to the lifecycle. */
    observed_at: bigint().orNull(),
    /** All of an observed row, the event without its body, or only its dedupe key. */
    retained: key<'all' | 'event' | 'key'>().default('all'),
    /** Null if stored as received. */
    /** After the event; null until known, and for what contradicts it. */
    customer_id: key().orNull(),
    body: bytes(),
  }),
  event_names: table('nobody', ['key'], {
    /** `ordershipped`, or for one family `order/ordershipped`. */
    key: key(),
    /** In the catalogue, or `ignore`. */
    meaning: text(),
    accepted_at: bigint(),
    accepted_by: text(),
  }),
  due: table('nobody', ['subject_key'], {
    subject_key: key(),
    step: text<DueStep>(),
    at: bigint(),
    /** Wakes since it was recorded. */
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
    carrier: key().orNull().shown(),
    last_event_at: bigint().shown(),
    created_at: bigint().shown(),
    updated_at: bigint().shown(),
    stalled: integer().default(0).shown(),
    unannounced: integer().default(0),
    /** JSON array of permanently refused GETs. */
    refused: text().orNull().shown(),
    /** JSON of its `Cleared` marks. */
    cleared: text().orNull(),
    look_again_at: bigint().orNull().shown(),
    /** JSON object: last revisions by destination's identity. */
    announced_to: text().default('{}'),
    /** JSON of its `RecordFacts`. */
    facts: text().orNull().shown(),
    /** `ActivityFailure` as JSON while GETs fail, and one while announcements do. */
    retrieving: text().orNull().shown(),
    retrieving_at: bigint().orNull().shown(),
    /** JSON of latest `Retrieval`s, oldest first. */
    retrievals: text().orNull(),
    announcing: text().orNull(),
    /** Null if no rule matches. Stays once it is over. */
    due_at: bigint().orNull().shown(),
    at_risk_at: bigint().orNull().shown(),
    rule_at: bigint().orNull().shown(),
    /** First time that somebody was notified of a forecast. */
    notified_at: bigint().orNull().shown(),
    due_because: text().orNull().shown(),
    /** Fingerprint; empty for none. */
    due_rules: text().default('').shown(),
    due_zone: text().orNull().shown(),
    /** JSON of its `Forecast`; null where too little is known. Says how many orders are ahead, which may be of others. */
    forecast: text().orNull(),
    expected_at: bigint().orNull().shown(),
    changes: integer().orNull().shown(),
    /** When the clock makes it late, later, or not late any more. */
    late_at: bigint().orNull().shown(),
    needs_attention: integer().computed(needsAttention, needsAttentionForCustomers),
    taken_by: text().orNull(),
    taken_at: bigint().orNull(),
  }),
  /** Of closed subjects; null where no event has told. */
  lead_times: table('customer', ['tenant', 'kind', 'subject_id'], {
    ...ofSubject,
    kind: key<TimedKind>(),
    customer_id: key().orNull(),
    facility_id: key().orNull(),
    carrier: key().orNull(),
    closed_at: bigint(),
    /** One of equal parts of all subjects, by chance. */
    sample: integer(),
    /** And time of the notice before it. */
    due_at: bigint().orNull(),
    notified_at: bigint().orNull(),
    waited: text(),
  }),
  /** Folded; their beginnings find subjects. */
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
    /** Null if nothing says whose it is, so that it is nobody's. */
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
  announcements: table('customer', ['id'], {
    id: key(),
    ...ofSubject,
    revision: integer(),
    summary: text(),
    created_at: bigint(),
    customer_id: key().orNull(),
    /** As recorded; outlasts the body's purge. */
    bytes: integer().default(0),
    body: bytes(),
  }),
  outbox: table('receiver', ['announcement', 'destination'], {
    announcement: key(),
    destination: key<Identity>(),
    ...ofSubject,
    revision: integer(),
    /** Before it for this subject and destination; null for the first. */
    previous: integer().orNull(),
    created_at: bigint(),
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
    /** Members whose records the destination did not get, separated by commas. */
    left_out: text().orNull(),
    /** Somebody asked to have it sent now; null once its workflow knows. */
    expedited_at: bigint().orNull(),
    /** Somebody had it sent again, though it was acknowledged or never meant for the destination. */
    replayed_at: bigint().orNull(),
  }),
  attempts: table('receiver', ['announcement', 'destination', 'number'], {
    announcement: key(),
    destination: key(),
    tenant: key(),
    number: integer(),
    at: bigint(),
    ms: integer(),
    outcome: key<AttemptOutcome>(),
    /** Null without an answer, and for a broker. */
    status: integer().orNull(),
    error: text().orNull(),
    /** JSON, secrets masked; null for a broker, and if nothing was sent. */
    request_headers: text().orNull(),
    answer: bytes().orNull(),
  }),
  /** Configured or added, with their state; others stay for their names. */
  destinations: table('destination', ['tenant', 'id'], {
    tenant: key(),
    id: key<Identity>(),
    name: key(),
    /** JSON of the configuration's settings without secrets, which then count. */
    configured: text().orNull(),
    /** JSON of the settings without secrets with which it was added. */
    settings: text().orNull(),
    sealed: bytes().orNull(),
    updated_at: bigint(),
    paused_at: bigint().orNull(),
    paused_by: text<Pauser>().orNull(),
    paused_because: text().orNull(),
    was_paused: integer().default(0),
    failing_since: bigint().orNull(),
    last_error: text().orNull(),
    /** It wants nothing until then (`Retry-After`); stays until an attempt has ended. */
    quiet_until: bigint().orNull(),
    /** Last subject woken since it was resumed, or its waits were ended; null if all were, empty before the first. */
    resumed_up_to: text().orNull(),
  }),
  /** `ok`, or the status of a failure (`none` without an answer). */
  answers: table('everybody', ['tenant', 'operation', 'outcome'], {
    tenant: key(),
    operation: key<PathName>(),
    outcome: key(),
    code: text<FailureCode>().orNull(),
    /** Successes: start of the time in which they came at least once a minute. Failures: the first since the last success. */
    since: bigint(),
    at: bigint(),
    /** Last success before `since`; null for failures. */
    before: bigint().orNull(),
  }),
  /** Why records of a kind cannot be asked for together. */
  page_limits: table('everybody', ['tenant', 'kind'], {
    tenant: key(),
    kind: key<SweptKind>(),
    reason: text(),
    since: bigint(),
    at: bigint(),
  }),
  rate_slots: table('nobody', ['warehouse', 'slot'], {
    warehouse: key(),
    slot: integer(),
    free_at: bigint(),
  }),
  /** Tokens, sealed with the secret of their credential. */
  tokens: table('nobody', ['credential'], {
    credential: key(),
    sealed: bytes(),
    obtained_at: bigint(),
  }),
  processes: table('nobody', ['id'], {
    id: key(),
    heartbeat_at: bigint(),
  }),
  /** Signed out; kept until they would have ended by themselves. */
  ended_sessions: table('nobody', ['session'], {
    session: key(),
    ends_at: bigint(),
  }),
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
    outcome: text<AuditOutcome>().orNull(),
    detail: text().orNull(),
  }),
  bulk_actions: table('token', [], {
    id: counter(),
    action: text<BulkName>(),
    filter: text(),
    state: text<'previewed' | 'running' | 'done' | 'canceled'>(),
    created_at: bigint(),
    created_by: text(),
    token: text(),
    /** Of a repetition; null for a destination known by its name. */
    identity: text<Identity>().orNull(),
    expires_at: bigint(),
    total: integer(),
    sample: text(),
    /** Until then a process works on it, or nobody tries it again. */
    leased_at: bigint().orNull(),
    leased_until: bigint().orNull(),
    /** Last item tried, in the order of its action; empty before the first. */
    position: text().default(''),
    done: integer().default(0),
    asked: integer().default(0),
    failed: integer().default(0),
    failures: text().default('[]'),
    trouble: text().orNull(),
    confirmed_at: bigint().orNull(),
    finished_at: bigint().orNull(),
    audit_id: bigint().orNull(),
  }),
  /** Hold, or held, for somebody who is notified; JSON of their alerts. */
  alerts: table('nobody', ['audience', 'condition', 'about'], {
    /** Part of the installation that they concern. */
    audience: key(),
    condition: key<ConditionName>(),
    about: key(),
    phase: text<Alert['phase']>(),
    since: bigint(),
    gone_since: bigint().orNull(),
    /** JSON of what was found last, and of what each channel was notified of. */
    finding: text(),
    notified: text(),
  }),
  alert_messages: table('nobody', ['id'], {
    id: key(),
    channel: text(),
    made_at: bigint(),
    title: text(),
    news: text(),
    attempts: integer().default(0),
    next_try_at: bigint(),
    last_error: text().orNull(),
    notified_at: bigint().orNull(),
  }),
  alert_silences: table('nobody', ['condition'], {
    condition: key<ConditionName>(),
    until: bigint(),
    silenced_by: text(),
  }),
  /** Of incidents by name, as they were then. */
  acknowledgements: table('nobody', ['incident'], {
    incident: key(),
    by: text(),
    at: bigint(),
    sort: text(),
    count: bigint(),
  }),
  /** Single row: the process that looks, and its last look. */
  alert_watch: table('nobody', ['id'], {
    id: integer(),
    ...lease,
    watched_at: bigint().orNull(),
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
