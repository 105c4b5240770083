import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../engines/dialect.ts';

/** Creates the tables of the first version. Never edit it after its release; add a migration instead. */
export const firstMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      ...inbox(db),
      ...subjects(db),
      ...notes(db),
      ...announcements(db),
      processes,
      tokens(db),
      ...erasures(db),
      ...audit(db),
      ...bulk(db),
      ...alerts,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};

const bytes = (db: Kysely<unknown>) => (isPostgres(db) ? sql`bytea` : sql`blob`);

/** Sorts a column as SQLite does, whatever the database's collation is: its index serves searches by the beginning of a text. */
const byCodePoint = (db: Kysely<unknown>) => (isPostgres(db) ? sql`collate "C"` : sql``);

const counter = (db: Kysely<unknown>) =>
  isPostgres(db) ? sql`bigint primary key generated always as identity` : sql`integer primary key autoincrement`;

function inbox(db: Kysely<unknown>): RawBuilder<unknown>[] {
  const waiting = sql`observed_at is null and quarantine_reason is null`;
  const settled = sql`(observed_at is not null or quarantine_reason is not null)`;
  return [
    sql`create table inbox (
      id ${counter(db)},
      event_id text ${byCodePoint(db)} not null unique,
      endpoint text not null,
      tenant text not null,
      subject_key text,
      event text,
      quarantine_reason text,
      received_at bigint not null,
      observed_at bigint,
      retained text not null default 'all',
      uncompressed_bytes integer,
      body ${bytes(db)} not null)`,
    sql`create index inbox_waiting on inbox (id) where ${waiting}`,
    // In words of its own, which only statements that know the subject use.
    sql`create index inbox_waiting_subject on inbox (subject_key, id) where coalesce(observed_at, -1) = -1 and quarantine_reason is null`,
    sql`create index inbox_quarantined on inbox (quarantine_reason) where quarantine_reason is not null`,
    sql`create index inbox_quarantine_order on inbox (id) where quarantine_reason is not null`,
    // For the board: the deliveries of a subject, and the newest one of a tenant. Rows that wait are left out, because these two would
    // cost a webhook a twentieth of its time.
    sql`create index inbox_subject on inbox (subject_key, id) where ${settled}`,
    sql`create index inbox_tenant on inbox (tenant, id) where ${settled}`,
    sql`create index inbox_retained on inbox (retained, observed_at) where observed_at is not null`,
    // Each row is updated several times. By default PostgreSQL vacuums when a fifth of the table is dead, and the search for the
    // oldest waiting row would step over all of that.
    ...(isPostgres(db) ? [sql`alter table inbox set (autovacuum_vacuum_scale_factor = 0.01)`] : []),
    sql`create table due (
      subject_key text primary key not null,
      step text not null,
      at bigint not null,
      attempts integer not null)`,
    sql`create index due_wake on due (at) where step = 'wake'`,
    sql`create index due_check on due (at) where step <> 'wake'`,
    ...(isPostgres(db) ? [sql`alter table due set (autovacuum_vacuum_scale_factor = 0.01)`] : []),
  ];
}

const isOpen = sql`stage not in ('confirmed', 'canceled', 'deleted')`;

const isBelievedOpen = sql`${isOpen}
  and not (stage = 'completed' and kind in ('adjustment', 'assembly'))`;

const key = sql`tenant, kind, subject_id`;

/** Returns the operation within a column of JSON, at a path. */
const operationIn = (db: Kysely<unknown>, column: 'retrieving' | 'refused', index?: number): RawBuilder<unknown> => {
  const path = index === undefined ? [] : [String(index)];
  return isPostgres(db)
    ? sql`${sql.ref(column)}::json #>> ${sql.lit(`{${[...path, 'operation'].join(',')}}`)}`
    : sql`json_extract(${sql.ref(column)}, ${sql.lit(['$', ...path.map((it) => `[${it}]`), '.operation'].join(''))})`;
};

/** Writes every reason for attention with what distinguishes it, so that equal ones are equal texts. */
const attentionGroup = (db: Kysely<unknown>) => sql`rtrim(
  case when unannounced = 1 then 'unannounced ' else '' end
  || case when retrieving is not null then 'retrieving:' || coalesce(${operationIn(db, 'retrieving')}, '') || ' ' else '' end
  || case when announcing is not null then 'announcing ' else '' end
  || case when refused is not null then 'refused:' || ${sql.join(
    [0, 1, 2, 3].map((index) => sql`coalesce(${operationIn(db, 'refused', index)} || ',', '')`),
    sql` || `,
  )} || ' ' else '' end
  || case when stalled = 1 then 'stalled:' || stage else '' end)`;

const subjects = (db: Kysely<unknown>): RawBuilder<unknown>[] => [
  sql`create table subjects (
    tenant text not null,
    kind text not null,
    subject_id text not null,
    stage text not null,
    stage_since bigint not null,
    revision integer not null,
    lifecycle text not null,
    reference_number text,
    customer_id text,
    facility_id text,
    last_event_at bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    stalled integer not null default 0,
    unannounced integer not null default 0,
    refused text,
    cleared text,
    look_again_at bigint,
    announced_to text not null default '{}',
    facts text,
    retrieving text,
    announcing text,
    due_at bigint,
    at_risk_at bigint,
    due_because text,
    due_rules text not null default '',
    late_at bigint,
    needs_attention integer not null generated always as (case when stalled = 1 or unannounced = 1 or refused is not null
      or retrieving is not null or announcing is not null then 1 else 0 end) stored,
    attention_group text not null generated always as (${attentionGroup(db)}) stored,
    taken_by text,
    taken_at bigint,
    primary key (${key}))`,
  sql`create index subjects_stage on subjects (stage, ${key})`,
  sql`create index subjects_customer on subjects (customer_id, ${key})`,
  sql`create index subjects_attention on subjects (${key}) where needs_attention = 1`,
  sql`create index subjects_open on subjects (${key}) where ${isBelievedOpen}`,
  // For the board: its lists by age, and its search.
  sql`create index subjects_stage_age on subjects (kind, stage, stage_since, tenant, subject_id)`,
  sql`create index subjects_open_age on subjects (kind, stage_since, tenant, subject_id)
    where ${isOpen}`,
  sql`create index subjects_attention_age on subjects (stage_since) where needs_attention = 1`,
  sql`create index subjects_attention_group on subjects (attention_group, stage_since, ${key}) where needs_attention = 1`,
  sql`create index subjects_taken on subjects (stage_since, ${key}) where taken_by is not null`,
  sql`create index subjects_created on subjects (created_at, ${key})`,
  sql`create index subjects_due on subjects (due_at, ${key}) where due_at is not null and ${isBelievedOpen}`,
  sql`create index subjects_late on subjects (late_at, ${key}) where late_at is not null`,
  sql`create index subjects_reference on subjects (reference_number) where reference_number is not null`,
  sql`create index subjects_id on subjects (subject_id)`,
  sql`create table search_terms (
    term text ${byCodePoint(db)} not null,
    tenant text not null,
    kind text not null,
    subject_id text not null,
    primary key (term, tenant, kind, subject_id)) ${isPostgres(db) ? sql`` : sql`without rowid`}`,
  sql`create table resources (
    tenant text not null,
    kind text not null,
    id text not null,
    body ${bytes(db)} not null,
    retrieved_at bigint not null,
    primary key (tenant, kind, id))`,
  sql`create index resources_retrieved on resources (retrieved_at)`,
];

const notes = (db: Kysely<unknown>): RawBuilder<unknown>[] => [
  sql`create table notes (
    id ${counter(db)},
    tenant text not null,
    kind text not null,
    subject_id text not null,
    written_at bigint not null,
    token text not null,
    operator text,
    text text not null)`,
  sql`create index notes_subject on notes (${key}, id)`,
  sql`create index notes_written on notes (written_at)`,
];

const announcements = (db: Kysely<unknown>): RawBuilder<unknown>[] => [
  sql`create table announcements (
    id text primary key not null,
    tenant text not null,
    kind text not null,
    subject_id text not null,
    revision integer not null,
    summary text not null,
    created_at bigint not null,
    customer_id text,
    bytes integer not null default 0,
    body ${bytes(db)} not null)`,
  // With what the list of announcements filters by, so that it does not read the rows that it leaves out.
  sql`create index announcements_created on announcements (created_at, id, customer_id, kind, tenant)`,
  sql`create index announcements_subject on announcements (${key}, revision)`,
  sql`create index announcements_whole on announcements (created_at) where length(body) > 0`,
  sql`create table outbox (
    announcement text not null,
    destination text not null,
    tenant text not null,
    kind text not null,
    subject_id text not null,
    revision integer not null,
    previous integer,
    created_at bigint not null,
    tried_since bigint not null,
    leased_by text,
    leased_at bigint,
    leased_until bigint,
    attempts integer not null default 0,
    last_status integer,
    last_ms integer,
    last_error text,
    sent_at bigint,
    dead_lettered_at bigint,
    dead_letter_reason text,
    left_out text,
    hurried_at bigint,
    replayed_at bigint,
    primary key (announcement, destination))`,
  sql`create index outbox_unsent on outbox (${key}, revision, destination) where coalesce(sent_at, -1) = -1`,
  sql`create index outbox_hurried on outbox (${key}) where hurried_at is not null`,
  sql`create index outbox_waiting on outbox (created_at, announcement, destination)
    where sent_at is null and dead_lettered_at is null`,
  // Few have failed of however many wait while a destination is away.
  sql`create index outbox_failing on outbox (created_at, announcement, destination)
    where sent_at is null and dead_lettered_at is null and attempts > 0`,
  sql`create index outbox_dead_lettered on outbox (dead_lettered_at, announcement, destination)
    where sent_at is null and dead_lettered_at is not null`,
  sql`create index outbox_destination on outbox (tenant, destination, created_at) where sent_at is null`,
  sql`create table attempts (
    announcement text not null,
    destination text not null,
    tenant text not null,
    number integer not null,
    at bigint not null,
    ms integer not null,
    outcome text not null,
    status integer,
    error text,
    request_headers text,
    answer ${bytes(db)},
    primary key (announcement, destination, number))`,
  // For the board: what a destination answers. Failures are found at once, however many deliveries there are.
  sql`create index attempts_destination on attempts (tenant, destination, outcome, at)`,
  sql`create table destinations (
    tenant text not null,
    name text not null,
    settings text,
    sealed ${bytes(db)},
    updated_at bigint not null,
    paused_at bigint,
    paused_by text,
    paused_because text,
    failing_since bigint,
    last_error text,
    resumed_up_to text,
    primary key (tenant, name))`,
];

const processes = sql`create table processes (id text primary key not null, heartbeat_at bigint not null)`;

const tokens = (db: Kysely<unknown>) => sql`create table tokens (
  credential text primary key not null,
  sealed ${bytes(db)} not null,
  obtained_at bigint not null)`;

const erasures = (db: Kysely<unknown>): RawBuilder<unknown>[] => [
  sql`create table erasures (
    id ${counter(db)},
    tenant text not null,
    kind text not null,
    subject_id text not null,
    erased_at bigint not null,
    erased_by text not null,
    deliveries integer not null,
    resources integer not null,
    announcements integer not null,
    notes integer not null)`,
  sql`create index erasures_subject on erasures (${key}, id)`,
];

const audit = (db: Kysely<unknown>): RawBuilder<unknown>[] => [
  sql`create table audit (
    id ${counter(db)},
    at bigint not null,
    token text not null,
    operator text,
    action text not null,
    target_type text not null,
    target text not null,
    subject_key text,
    outcome text,
    detail text)`,
  sql`create index audit_at on audit (at)`,
  sql`create index audit_subject on audit (subject_key) where subject_key is not null`,
];

const bulk = (db: Kysely<unknown>): RawBuilder<unknown>[] => [
  sql`create table bulk_actions (
    id ${counter(db)},
    action text not null,
    filter text not null,
    state text not null,
    created_at bigint not null,
    created_by text not null,
    expires_at bigint not null,
    total integer not null,
    sample text not null,
    position text not null default '',
    done integer not null default 0,
    asked integer not null default 0,
    failed integer not null default 0,
    failures text not null default '[]',
    trouble text,
    confirmed_at bigint,
    finished_at bigint,
    audit_id bigint)`,
  sql`create index bulk_actions_running on bulk_actions (id) where state = 'running'`,
];

const alerts: readonly RawBuilder<unknown>[] = [
  sql`create table alerts (
    audience text not null,
    condition text not null,
    about text not null,
    phase text not null,
    since bigint not null,
    gone_since bigint,
    finding text not null,
    told text not null,
    primary key (audience, condition, about))`,
  sql`create table alert_messages (
    id text primary key not null,
    channel text not null,
    made_at bigint not null,
    title text not null,
    news text not null,
    attempts integer not null default 0,
    next_try_at bigint not null,
    last_error text,
    told_at bigint,
    told_by text)`,
  sql`create index alert_messages_made on alert_messages (made_at)`,
  sql`create table alert_silences (
    condition text primary key not null,
    until bigint not null,
    silenced_by text not null)`,
  sql`create table alert_watch (
    id integer primary key not null,
    leased_by text,
    leased_at bigint,
    leased_until bigint,
    watched_at bigint,
    away_from bigint,
    away_until bigint)`,
];
