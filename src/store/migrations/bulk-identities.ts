import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../engines/dialect.ts';

/** Gives repetitions a column for the identity of their destination, which stood in their filter. */
export const bulkIdentities: Migration = {
  async up(db: Kysely<unknown>) {
    const [identity, filter] = isPostgres(db)
      ? [sql`filter::jsonb ->> 'identity'`, sql`(filter::jsonb - 'identity')::text`]
      : [sql`json_extract(filter, '$.identity')`, sql`json_remove(filter, '$.identity')`];
    await sql`alter table bulk_actions add column identity text`.execute(db);
    await sql`update bulk_actions set identity = ${identity}, filter = ${filter}
      where ${identity} is not null`.execute(db);
  },
};
