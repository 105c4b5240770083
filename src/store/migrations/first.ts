import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { bytesType, isPostgres } from '../engines/dialect.ts';

/** The tables of the first version. Never edited once it is released: a change is a migration of its own. */
export const firstMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await createInbox(db);
    await createDispatches(db);
    await createSubjects(db);
    await createResources(db);
    await createAnnouncements(db);
    await createProcesses(db);
  },
};

async function createInbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inbox')
    .addColumn('id', isPostgres(db) ? 'bigint' : 'integer', (column) =>
      isPostgres(db) ? column.primaryKey().generatedAlwaysAsIdentity() : column.primaryKey().autoIncrement(),
    )
    .addColumn('event_id', 'text', (column) => column.notNull().unique())
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('subject_key', 'text')
    .addColumn('event', 'text')
    .addColumn('quarantine_reason', 'text')
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('observed_at', 'bigint')
    .addColumn('kept', 'text', (column) => column.notNull().defaultTo('all'))
    .addColumn('uncompressed_bytes', 'integer')
    .addColumn('body', bytesType(db), (column) => column.notNull())
    .execute();
  const waiting = sql<boolean>`observed_at is null and quarantine_reason is null`;
  const quarantined = sql<boolean>`quarantine_reason is not null`;
  const inboxIndex = (name: string) => db.schema.createIndex(`inbox_${name}`).on('inbox');
  await inboxIndex('waiting').columns(['id', 'subject_key']).where(waiting).execute();
  await inboxIndex('waiting_subject').columns(['subject_key', 'id']).where(waiting).execute();
  await inboxIndex('quarantined').column('quarantine_reason').where(quarantined).execute();
  await inboxIndex('quarantine_order').column('id').where(quarantined).execute();
  await inboxIndex('kept').columns(['kept', 'observed_at']).where(sql<boolean>`observed_at is not null`).execute();
  // Each row is written several times. By default a fifth of the table has to be dead before its indexes are swept, and finding
  // the oldest waiting row has to step over all of that.
  if (isPostgres(db)) await sql`alter table inbox set (autovacuum_vacuum_scale_factor = 0.01)`.execute(db);
}

async function createDispatches(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('dispatches')
    .addColumn('subject_key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('dispatched_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('dispatches_age').on('dispatches').column('dispatched_at').execute();
}

const subjectOrder = ['tenant', 'kind', 'subject_id'] as const;

async function createSubjects(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subjects')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('stage', 'text', (column) => column.notNull())
    .addColumn('stage_since', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('lifecycle', 'text', (column) => column.notNull())
    .addColumn('reference_number', 'text')
    .addColumn('customer_id', 'text')
    .addColumn('facility_id', 'text')
    .addColumn('last_event_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('stalled', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('unannounced', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('refused', 'text')
    .addColumn('retrieving', 'text')
    .addColumn('announcing', 'text')
    .addColumn('marked', 'integer', (column) => column.notNull().generatedAlwaysAs(marked).stored())
    .addPrimaryKeyConstraint('subjects_key', [...subjectOrder])
    .execute();
  const subjectsIndex = (name: string) => db.schema.createIndex(`subjects_${name}`).on('subjects');
  await subjectsIndex('stage')
    .columns(['stage', ...subjectOrder])
    .execute();
  await subjectsIndex('customer')
    .columns(['customer_id', ...subjectOrder])
    .execute();
  await subjectsIndex('marked')
    .columns([...subjectOrder])
    .where(sql<boolean>`marked = 1`)
    .execute();
  await subjectsIndex('open')
    .columns([...subjectOrder])
    .where(sql<boolean>`stage not in ('confirmed', 'canceled', 'deleted')`)
    .execute();
}

/** Whether a subject needs attention, for whatever reason. */
const marked = sql<number>`case when stalled = 1 or unannounced = 1 or refused is not null
  or retrieving is not null or announcing is not null then 1 else 0 end`;

async function createResources(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('resources')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('body', bytesType(db), (column) => column.notNull())
    .addColumn('retrieved_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('resources_key', ['tenant', 'kind', 'id'])
    .execute();
}

async function createAnnouncements(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('announcements')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('tried_since', 'bigint', (column) => column.notNull())
    .addColumn('leased_until', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('last_status', 'integer')
    .addColumn('last_ms', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('sent_at', 'bigint')
    .addColumn('dead_lettered_at', 'bigint')
    .addColumn('dead_letter_reason', 'text')
    .addColumn('body', bytesType(db), (column) => column.notNull())
    .execute();
  const announcementsIndex = (name: string) => db.schema.createIndex(`announcements_${name}`).on('announcements');
  await announcementsIndex('created').columns(['created_at', 'id']).execute();
  await announcementsIndex('subject')
    .columns([...subjectOrder, 'revision'])
    .execute();
  await announcementsIndex('unsent')
    .columns([...subjectOrder, 'revision'])
    .where(sql<boolean>`sent_at is null`)
    .execute();
  await announcementsIndex('waiting')
    .columns(['created_at', 'id'])
    .where(sql<boolean>`sent_at is null and dead_lettered_at is null`)
    .execute();
  await announcementsIndex('dead-lettered')
    .columns(['dead_lettered_at', 'id'])
    .where(sql<boolean>`sent_at is null and dead_lettered_at is not null`)
    .execute();
  await announcementsIndex('sent')
    .column('sent_at')
    .where(sql<boolean>`sent_at is not null and length(body) > 0`)
    .execute();
}

/** The processes that run activities, each as long as it says so. */
async function createProcesses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('processes')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
}
