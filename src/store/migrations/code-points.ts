import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../engines/dialect.ts';

/** Columns of texts that keys and indexes have. The stage is left out: PostgreSQL 15 alters no column that a generated one uses. */
const columns = {
  inbox: ['tenant', 'subject_key', 'quarantine_reason', 'retained', 'customer_id'],
  due: ['subject_key'],
  subjects: ['tenant', 'kind', 'subject_id', 'reference_number', 'customer_id', 'attention_group'],
  search_terms: ['tenant', 'kind', 'subject_id'],
  announcements: ['id', 'tenant', 'kind', 'subject_id', 'customer_id'],
  outbox: ['announcement', 'destination', 'tenant', 'kind', 'subject_id'],
  attempts: ['announcement', 'destination', 'tenant', 'outcome'],
  resources: ['tenant', 'kind', 'id'],
  destinations: ['tenant', 'name', 'id'],
  notes: ['tenant', 'kind', 'subject_id'],
  erasures: ['tenant', 'kind', 'subject_id'],
  audit: ['subject_key'],
  answers: ['tenant', 'operation', 'outcome'],
  processes: ['id'],
  tokens: ['credential'],
  rate_slots: ['warehouse'],
  page_limits: ['tenant', 'kind'],
  event_names: ['key'],
  alerts: ['condition', 'about', 'audience'],
  alert_messages: ['id'],
  alert_silences: ['condition'],
} as const;

/**
 * Sorts keys by code point, as SQLite does, whatever collation the PostgreSQL database was created with: those of a language may change with the
 * operating system, which leaves indexes in another order than comparisons expect. The rows stay as they are; the indexes are built anew.
 */
export const codePointsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    if (!isPostgres(db)) return;
    for (const [table, names] of Object.entries(columns)) await sortByCodePoint(table, names).execute(db);
  },
};

const sortByCodePoint = (table: string, names: readonly string[]): RawBuilder<unknown> =>
  sql`alter table ${sql.ref(table)} ${sql.join(names.map((name) => sql`alter column ${sql.ref(name)} type text collate "C"`))}`;
