import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createTable } from '../columns.ts';
import { isPostgres } from '../engines/dialect.ts';
import { tables } from '../schema.ts';

export const firstMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [name, table] of Object.entries(tables)) await createTable(db, name, table).execute(db);
    for (const index of indexes) await index.execute(db);
    // Each row is updated several times. By default PostgreSQL vacuums when a fifth of the table is dead, and the search for the
    // oldest waiting row would step over all of that.
    if (isPostgres(db))
      for (const queue of ['inbox', 'due'] as const)
        await sql`alter table ${sql.table(queue)} set (autovacuum_vacuum_scale_factor = 0.01)`.execute(db);
  },
};

const isWaiting = sql`observed_at is null and quarantine_code is null`;

const isSettled = sql`(observed_at is not null or quarantine_code is not null)`;

const isOpen = sql`stage not in ('confirmed', 'canceled', 'deleted')`;

const isBelievedOpen = sql`${isOpen}
  and not (stage = 'completed' and kind in ('adjustment', 'assembly'))`;

const isUnsent = sql`sent_at is null and dead_lettered_at is null`;

const key = sql`tenant, kind, subject_id`;

const indexes = [
  sql`create index inbox_waiting on inbox (id) where ${isWaiting}`,
  // In words of its own, which only statements that know the subject use.
  sql`create index inbox_waiting_subject on inbox (subject_key, id) where coalesce(observed_at, -1) = -1 and quarantine_code is null`,
  // With the id, so that the oldest of each reason is found beside its number.
  sql`create index inbox_quarantined on inbox (quarantine_code, quarantine_data, id) where quarantine_code is not null`,
  sql`create index inbox_quarantine_order on inbox (id) where quarantine_code is not null`,
  // For the board: the deliveries of a subject, and the newest one of a tenant. Rows that wait are left out, because these two would
  // cost a webhook a twentieth of its time.
  sql`create index inbox_subject on inbox (subject_key, id) where ${isSettled}`,
  sql`create index inbox_tenant on inbox (tenant, id) where ${isSettled}`,
  sql`create index inbox_customer on inbox (customer_id, id) where customer_id is not null`,
  sql`create index inbox_retained on inbox (retained, observed_at) where observed_at is not null`,
  sql`create index due_wake on due (at) where step = 'wake'`,
  sql`create index due_check on due (at) where step <> 'wake'`,
  sql`create index subjects_stage on subjects (stage, ${key})`,
  sql`create index subjects_customer on subjects (customer_id, ${key})`,
  sql`create index subjects_carrier on subjects (carrier, ${key}) where carrier is not null and ${isOpen}`,
  sql`create index subjects_attention on subjects (${key}) where needs_attention = 1`,
  sql`create index subjects_open on subjects (${key}) where ${isBelievedOpen}`,
  // For the board: its lists by age, and its search.
  sql`create index subjects_stage_age on subjects (kind, stage, stage_since, tenant, subject_id)`,
  sql`create index subjects_open_age on subjects (kind, stage_since, tenant, subject_id)
    where ${isOpen}`,
  sql`create index subjects_attention_age on subjects (stage_since) where needs_attention = 1`,
  sql`create index subjects_taken on subjects (stage_since, ${key}) where taken_by is not null`,
  sql`create index subjects_due on subjects (due_at, ${key}) where due_at is not null and ${isBelievedOpen}`,
  sql`create index subjects_late on subjects (late_at, ${key}) where late_at is not null`,
  sql`create index subjects_reference on subjects (reference_number) where reference_number is not null`,
  // With what an incident says of the subjects that it holds up, so that ten thousand of them are not read.
  sql`create index subjects_retrieving on subjects (tenant, retrieving_at, customer_id, at_risk_at, due_at)
    where retrieving_at is not null`,
  sql`create index subjects_id on subjects (subject_id)`,
  // With what they are filtered by, so that those that are left out are not read.
  sql`create index lead_times_closed on lead_times (kind, sample, closed_at, customer_id, facility_id, carrier, tenant)`,
  sql`create index resources_retrieved on resources (retrieved_at)`,
  sql`create index notes_subject on notes (${key}, id)`,
  sql`create index notes_written on notes (written_at)`,
  // With what the list of announcements filters by, so that it does not read the rows that it leaves out.
  sql`create index announcements_created on announcements (created_at, id, customer_id, kind, tenant)`,
  sql`create index announcements_subject on announcements (${key}, revision)`,
  sql`create index announcements_whole on announcements (created_at) where length(body) > 0`,
  sql`create index outbox_unsent on outbox (${key}, revision, destination) where coalesce(sent_at, -1) = -1`,
  sql`create index outbox_expedited on outbox (${key}) where expedited_at is not null`,
  sql`create index outbox_waiting on outbox (created_at, announcement, destination)
    where ${isUnsent}`,
  // Few have failed of however many wait while a destination is away.
  sql`create index outbox_failing on outbox (created_at, announcement, destination)
    where ${isUnsent} and attempts > 0`,
  // However many wait for a destination that is away, those that another one rejects are found at once.
  sql`create index outbox_tried on outbox (tenant, destination, created_at)
    where ${isUnsent} and attempts > 0`,
  sql`create index outbox_dead_lettered on outbox (dead_lettered_at, announcement, destination)
    where sent_at is null and dead_lettered_at is not null`,
  sql`create index outbox_destination on outbox (tenant, destination, created_at) where sent_at is null`,
  // For the board: what a destination answers. Failures are found at once, however many deliveries there are.
  sql`create index attempts_destination on attempts (tenant, destination, outcome, at)`,
  // A name that is free again is somebody else's.
  sql`create unique index destinations_name on destinations (tenant, name) where coalesce(configured, settings) is not null`,
  sql`create index erasures_subject on erasures (${key}, id)`,
  sql`create index audit_at on audit (at)`,
  sql`create index audit_subject on audit (subject_key) where subject_key is not null`,
  sql`create index bulk_actions_running on bulk_actions (id) where state = 'running'`,
  sql`create index alert_messages_made on alert_messages (made_at)`,
];
