import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { bytesType, isPostgres } from './dialect.ts';

/** The tables of the first version. Never edited: a change is a migration of its own. */
export const firstMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await createInbox(db);
    await createSubjects(db);
    await createResources(db);
    await createAnnouncements(db);
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
    .addColumn('parked_reason', 'text')
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('body', bytesType(db), (column) => column.notNull())
    .addColumn('dispatched_at', 'bigint')
    .execute();
  const waiting = sql<boolean>`dispatched_at is null and parked_reason is null`;
  await db.schema.createIndex('inbox_waiting').on('inbox').columns(['id', 'subject_key']).where(waiting).execute();
  await db.schema
    .createIndex('inbox_waiting_subject')
    .on('inbox')
    .columns(['subject_key', 'id'])
    .where(waiting)
    .execute();
  await db.schema
    .createIndex('inbox_parked')
    .on('inbox')
    .column('parked_reason')
    .where(sql<boolean>`parked_reason is not null`)
    .execute();
}

async function createSubjects(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subjects')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('stage', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('lifecycle', 'text', (column) => column.notNull())
    .addColumn('reference_number', 'text')
    .addColumn('customer_id', 'text')
    .addColumn('facility_id', 'text')
    .addColumn('needs_attention', 'integer', (column) => column.notNull())
    .addColumn('last_event_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('subjects_key', ['tenant', 'kind', 'subject_id'])
    .execute();
}

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
    .addColumn('body', bytesType(db), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('sent_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('announcements_unsent')
    .on('announcements')
    .columns(['tenant', 'kind', 'subject_id', 'revision'])
    .where(sql<boolean>`sent_at is null`)
    .execute();
}
