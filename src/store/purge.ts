import { type Kysely, sql } from 'kysely';
import type { Connections } from './engines/connections.ts';
import { skipLocked } from './engines/dialect.ts';
import type { Database } from './schema.ts';

/**
 * Data that is purged by age: of observed deliveries first the body, then the event, then the dedupe key; quarantined deliveries;
 * bodies of acknowledged announcements; retrieved resources; the audit log; bulk actions that are over.
 */
export const purgeable = [
  'bodies',
  'events',
  'keys',
  'quarantined',
  'announcements',
  'resources',
  'audit',
  'bulk',
] as const;

/** One of {@link purgeable}. */
export type Purgeable = (typeof purgeable)[number];

/** Quarantined deliveries whose reasons begin alike. */
export interface QuarantineSummary {
  /** Reason up to its first quotation mark or colon, after which it names what is in the delivery. */
  readonly reason: string;
  readonly count: number;
  /** Time at which the oldest was received, in milliseconds since the epoch. */
  readonly oldest: number;
}

/** Deletes data past its retention. */
export interface Purge {
  /** Deletes the oldest data from before a time, up to a limit of rows, and returns their number. */
  run(what: Purgeable, before: number, limit: number): Promise<number>;
  /** Counts quarantined deliveries from before a time by the beginning of their reason, oldest first. */
  quarantinedBefore(before: number): Promise<readonly QuarantineSummary[]>;
}

/** Creates a purge of small statements, each of which finds the oldest rows by an index. */
export function createPurge({ db, reads, shrink }: Pick<Connections, 'db' | 'reads' | 'shrink'>): Purge {
  return {
    async run(what, before, limit) {
      const [result] = await statements[what](db, before, limit).execute();
      const { numUpdatedRows, numDeletedRows } = result as { numUpdatedRows?: bigint; numDeletedRows?: bigint };
      const count = Number(numUpdatedRows ?? numDeletedRows ?? 0);
      if (count > 0) shrink();
      return count;
    },

    async quarantinedBefore(before) {
      const rows = await reads
        .selectFrom('inbox')
        .select(({ fn }) => [
          'quarantine_reason as reason',
          fn.countAll<number>().as('count'),
          fn.min('received_at').as('oldest'),
        ])
        .where('quarantine_reason', 'is not', null)
        .where('received_at', '<', before)
        .groupBy('quarantine_reason')
        .orderBy('oldest')
        .execute();
      const groups = Map.groupBy(rows, ({ reason }) => /^[^":]*/.exec(reason ?? '')?.[0].trim() ?? '');
      return [...groups].map(([reason, [first, ...others]]) => ({
        ...{ reason, oldest: first?.oldest ?? 0 },
        count: others.reduce((sum, { count }) => sum + count, first?.count ?? 0),
      }));
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
  resources: (...old) =>
    withRetrieved(...old)
      .deleteFrom('resources')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('tenant', 'kind', 'id'),
          'in',
          selectFrom('old').select(['old.tenant', 'old.kind', 'old.id']).$asTuple('tenant', 'kind', 'id'),
        ),
      ),
  audit: (...old) =>
    withAudited(...old)
      .deleteFrom('audit')
      .where('id', 'in', ({ selectFrom }) => selectFrom('old').select('old.id')),
  bulk: (...old) => purgeBulk(...old),
};

/** Deletes bulk actions with the items that they have left. */
const purgeBulk: Statement = (db, before, limit) => ({
  async execute() {
    const over = await db
      .selectFrom('bulk_actions')
      .select('id')
      .where('finished_at', '<', before)
      .orderBy('id')
      .limit(limit)
      .execute();
    const ids = over.map(({ id }) => id);
    if (ids.length === 0) return [{ numDeletedRows: 0n }];
    await db.deleteFrom('bulk_items').where('bulk_id', 'in', ids).execute();
    return await db.deleteFrom('bulk_actions').where('id', 'in', ids).execute();
  },
});

function withAudited(db: Kysely<Database>, before: number, limit: number) {
  const rows = db.selectFrom('audit').select('id').where('at', '<', before);
  return db.with('old', () => skipLocked(db, rows.orderBy('at').limit(limit)));
}

function withObserved(retained: 'all' | 'event' | 'key', db: Kysely<Database>, before: number, limit: number) {
  const rows = db.selectFrom('inbox').select('id').where('retained', '=', retained).where('observed_at', '<', before);
  return db.with('old', () => skipLocked(db, rows.orderBy('observed_at').limit(limit)));
}

function withQuarantined(db: Kysely<Database>, before: number, limit: number) {
  const rows = db.selectFrom('inbox').select('id').where('quarantine_reason', 'is not', null);
  return db.with('old', () => skipLocked(db, rows.where('received_at', '<', before).orderBy('id').limit(limit)));
}

function withRetrieved(db: Kysely<Database>, before: number, limit: number) {
  const rows = db.selectFrom('resources').select(['tenant', 'kind', 'id']).where('retrieved_at', '<', before);
  return db.with('old', () => skipLocked(db, rows.orderBy('retrieved_at').limit(limit)));
}

function withSent(db: Kysely<Database>, before: number, limit: number) {
  // Must match the condition of the index.
  const isPurgeable = sql<boolean>`sent_at is not null and length(body) > 0`;
  const rows = db.selectFrom('announcements').select('id').where(isPurgeable).where('sent_at', '<', before);
  return db.with('old', () => skipLocked(db, rows.orderBy('sent_at').limit(limit)));
}
