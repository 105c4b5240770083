import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Connections } from './engines/connections.ts';
import { isPostgres } from './engines/dialect.ts';
import type { Database } from './schema.ts';

/**
 * What goes with age: the bytes of observed deliveries, then what they told, then their dedupe keys; quarantined deliveries; the bytes
 * of announcements that were acknowledged.
 */
export const purgeable = ['bodies', 'events', 'keys', 'quarantined', 'announcements'] as const;

/** One of {@link purgeable}. */
export type Purgeable = (typeof purgeable)[number];

/** Lets go of what is older than it has to be kept. */
export interface Purge {
  /** Lets go of the oldest that are over before the time, no more than the limit; returns how many. */
  run(what: Purgeable, before: number, limit: number): Promise<number>;
}

type Statement = (db: Kysely<Database>, before: number, limit: number) => Promise<unknown[]>;

const nothing = new Uint8Array();

const statements: Readonly<Record<Purgeable, Statement>> = {
  bodies: (db, before, limit) =>
    db
      .with('old', () => own(db, observedRows(db, 'all', before, limit)))
      .updateTable('inbox')
      .set({ body: nothing, uncompressed_bytes: null, kept: 'event' })
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id'))
      .execute(),
  events: (db, before, limit) =>
    db
      .with('old', () => own(db, observedRows(db, 'event', before, limit)))
      .updateTable('inbox')
      .set({ subject_key: null, event: null, kept: 'key' })
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id'))
      .execute(),
  keys: (db, before, limit) =>
    db
      .with('old', () => own(db, observedRows(db, 'key', before, limit)))
      .deleteFrom('inbox')
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id'))
      .execute(),
  quarantined: (db, before, limit) =>
    db
      .with('old', () => own(db, quarantinedRows(db, before, limit)))
      .deleteFrom('inbox')
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id'))
      .execute(),
  announcements: (db, before, limit) =>
    db
      .with('old', () => own(db, sentAnnouncements(db, before, limit)))
      .updateTable('announcements')
      .set({ body: nothing })
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id'))
      .execute(),
};

/** Lets go in small statements, each finding the oldest by an index. */
export function createPurge({ db, shrink }: Pick<Connections, 'db' | 'shrink'>): Purge {
  return {
    async run(what, before, limit) {
      const [result] = await statements[what](db, before, limit);
      const { numUpdatedRows, numDeletedRows } = result as { numUpdatedRows?: bigint; numDeletedRows?: bigint };
      const count = Number(numUpdatedRows ?? numDeletedRows ?? 0);
      if (count > 0) shrink();
      return count;
    },
  };
}

const observedRows = (db: Kysely<Database>, kept: 'all' | 'event' | 'key', before: number, limit: number) =>
  db
    .selectFrom('inbox')
    .select('id')
    .where('kept', '=', kept)
    .where('observed_at', '<', before)
    .orderBy('observed_at')
    .limit(limit);

const quarantinedRows = (db: Kysely<Database>, before: number, limit: number) =>
  db
    .selectFrom('inbox')
    .select('id')
    .where('quarantine_reason', 'is not', null)
    .where('received_at', '<', before)
    .orderBy('id')
    .limit(limit);

const sentAnnouncements = (db: Kysely<Database>, before: number, limit: number) =>
  db
    .selectFrom('announcements')
    .select('id')
    // In the words of the index, or it is not used.
    .where(sql<boolean>`sent_at is not null and length(body) > 0`)
    .where('sent_at', '<', before)
    .orderBy('sent_at')
    .limit(limit);

/**
 * Rows that nobody else writes at the moment: several processes that do the same share the work instead of waiting. Locked in a
 * `with`, which is run once; a subquery may be run again and would then take more than its limit.
 */
const own = <Table extends keyof Database, Row>(
  db: Kysely<Database>,
  rows: SelectQueryBuilder<Database, Table, Row>,
): SelectQueryBuilder<Database, Table, Row> => (isPostgres(db) ? rows.forUpdate().skipLocked() : rows);
