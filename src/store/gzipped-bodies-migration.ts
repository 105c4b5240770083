import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Lets large bodies be kept gzipped; those that are there stay as they came. */
export const gzippedBodiesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('inbox').addColumn('uncompressed_bytes', 'integer').execute();
  },
};
