import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../engines/dialect.ts';

/** Gives bulk actions the token of whoever chose them, which was a part of a text: `support`, or `ana (support)`. */
export const bulkTokens: Migration = {
  async up(db: Kysely<unknown>) {
    const opening = isPostgres(db) ? sql`strpos(created_by, ' (')` : sql`instr(created_by, ' (')`;
    await sql`alter table bulk_actions add column token text not null default ''`.execute(db);
    await sql`update bulk_actions set token = case when ${opening} = 0 then created_by
      else rtrim(substr(created_by, ${opening} + 2), ')') end`.execute(db);
  },
};
