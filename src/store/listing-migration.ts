import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Lets operators list and count without walking through everything: with SQLite the webhook would wait for that. */
export const listingMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const order = ['tenant', 'kind', 'subject_id'];
    const { schema } = db;
    await schema
      .createIndex('subjects_stage')
      .on('subjects')
      .columns(['stage', ...order])
      .execute();
    await schema
      .createIndex('subjects_customer')
      .on('subjects')
      .columns(['customer_id', ...order])
      .execute();
    await schema
      .createIndex('subjects_attention')
      .on('subjects')
      .columns(order)
      .where(sql<boolean>`needs_attention = 1`)
      .execute();
    await schema
      .createIndex('announcements_subject')
      .on('announcements')
      .columns([...order, 'revision'])
      .execute();
    await schema.createIndex('announcements_created').on('announcements').columns(['created_at', 'id']).execute();
    await schema
      .createIndex('announcements_waiting')
      .on('announcements')
      .columns(['created_at', 'id'])
      .where(sql<boolean>`sent_at is null and parked_at is null`)
      .execute();
  },
};
