import { type Kysely, sql } from 'kysely';
import type { Connections } from './engines/connections.ts';
import { skipLocked } from './engines/dialect.ts';
import type { Database } from './schema.ts';

/**
 * Data that is purged by age: of observed deliveries first the body, then the event, then the dedupe key; quarantined deliveries;
 * bodies of acknowledged announcements.
 */
export const purgeable = ['bodies', 'events', 'keys', 'quarantined', 'announcements'] as const;

/** One of {@link purgeable}. */
export type Purgeable = (typeof purgeable)[number];

/** Deletes data past its retention. */
export interface Purge {
  /** Deletes the oldest data from before a time, up to a limit of rows, and returns their number. */
  run(what: Purgeable, before: number, limit: number): Promise<number>;
}

/** Creates a purge of small statements, each of which finds the oldest rows by an index. */
export function createPurge({ db, shrink }: Pick<Connections, 'db' | 'shrink'>): Purge {
  return {
    async run(what, before, limit) {
      const [result] = await statements[what](db, before, limit).execute();
      const { numUpdatedRows, numDeletedRows } = result as { numUpdatedRows?: bigint; numDeletedRows?: bigint };
      const count = Number(numUpdatedRows ?? numDeletedRows ?? 0);
      if (count > 0) shrink();
      return count;
    },
  };
}

type Statement = (db: Kysely<Database>, before: number, limit: number) => { execute(): Promise<unknown[]> };

const nothing = new Uint8Array();

const statements: Readonly<Record<Purgeable, Statement>> = {
  bodies: (...old) =>
    withObserved('all', ...old)
      .updateTable('inbox')
      .set({ body: nothing, uncompressed_bytes: null, retained: 'event' })
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id')),
  events: (...old) =>
    withObserved('event', ...old)
      .updateTable('inbox')
      .set({ subject_key: null, event: null, retained: 'key' })
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id')),
  keys: (...old) =>
    withObserved('key', ...old)
      .deleteFrom('inbox')
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id')),
  quarantined: (...old) =>
    withQuarantined(...old)
      .deleteFrom('inbox')
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id')),
  announcements: (...old) =>
    withSent(...old)
      .updateTable('announcements')
      .set({ body: nothing })
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id')),
};

function withObserved(retained: 'all' | 'event' | 'key', db: Kysely<Database>, before: number, limit: number) {
  const rows = db.selectFrom('inbox').select('id').where('retained', '=', retained).where('observed_at', '<', before);
  return db.with('old', () => skipLocked(db, rows.orderBy('observed_at').limit(limit)));
}

function withQuarantined(db: Kysely<Database>, before: number, limit: number) {
  const rows = db.selectFrom('inbox').select('id').where('quarantine_reason', 'is not', null);
  return db.with('old', () => skipLocked(db, rows.where('received_at', '<', before).orderBy('id').limit(limit)));
}

function withSent(db: Kysely<Database>, before: number, limit: number) {
  // Must match the condition of the index.
  const isPurgeable = sql<boolean>`sent_at is not null and length(body) > 0`;
  const rows = db.selectFrom('announcements').select('id').where(isPurgeable).where('sent_at', '<', before);
  return db.with('old', () => skipLocked(db, rows.orderBy('sent_at').limit(limit)));
}
