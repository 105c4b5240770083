import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { findConfiguredUnwanted } from '../../destinations/tables/withdrawals.ts';
import type { DestinationRef } from '../../domain/routing.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { BUSY, resultCode } from '../../store/engines/failures.ts';
import { assertDurable, postgresDialect } from '../../store/engines/postgres.ts';
import { lockSqlite, sqliteDialect } from '../../store/engines/sqlite.ts';
import { readVersion, type SchemaVersion } from '../../store/migrations/version.ts';
import { findOldestTransaction, type OpenTransaction } from '../../store/oldest-transaction.ts';
import type { Database } from '../../store/schema.ts';
import type { StoreLocation } from '../store.ts';

/** State of a store, which is left as it is. */
export type StoreState =
  /** It will be created at the start. */
  | { readonly state: 'absent' }
  /** Another process has the SQLite file open. */
  | { readonly state: 'inUse' }
  | (SchemaVersion & {
      readonly state: 'open';
      /** Transaction of another connection that has been open for longest. */
      readonly oldestTransaction: OpenTransaction | undefined;
      readonly misnamed: readonly Misnamed[];
      /** Announcements that the next start takes out, counted by the configured destinations that no longer want them. */
      readonly unwanted: readonly Unwanted[];
    });

/** Number of announcements that wait for a destination which no longer wants them, up to `COUNTED`. */
export interface Unwanted extends DestinationRef {
  readonly count: number;
}

/** Endpoint whose newest deliveries were all quarantined since they name another tenant than it has, and that of the newest. */
interface Misnamed {
  readonly endpoint: string;
  readonly tenant: string;
}

/** Opens a store without migrating it, writes in a transaction that is rolled back, and says how it is. Rejects if that fails. */
export async function inspectStore(
  location: StoreLocation,
  tenants: Parameters<typeof findConfiguredUnwanted>[1] = [],
): Promise<StoreState> {
  if ('file' in location && !existsSync(location.file)) return { state: 'absent' };
  await using opened = new AsyncDisposableStack();
  try {
    if ('file' in location) opened.use(lockSqlite(location.file));
    return await inspect(
      opened.adopt(open(location), (it) => it.destroy()),
      tenants,
    );
  } catch (error) {
    const { cause } = error as Error;
    if (resultCode(cause ?? error) === BUSY) return { state: 'inUse' };
    throw error;
  }
}

const limits = { connections: 1, connectMs: 5000, statementMs: 5000, synced: true } as const;

function open(location: StoreLocation): Kysely<Database> {
  const dialect =
    'url' in location
      ? postgresDialect(location.url, limits)
      : sqliteDialect(new DatabaseSync(location.file, { timeout: 500 }));
  return new Kysely<Database>({ dialect });
}

async function inspect(
  db: Kysely<Database>,
  tenants: Parameters<typeof findConfiguredUnwanted>[1],
): Promise<StoreState> {
  if (isPostgres(db)) await assertDurable(db, 'in PostgreSQL');
  const schema = await readVersion(db);
  const isUsable = schema.pending.length === 0 && schema.fault === undefined;
  if (isUsable) await tryWriting(db);
  const misnamed = isUsable ? await findMisnamed(db) : [];
  const unwanted = isUsable ? await Array.fromAsync(findConfiguredUnwanted(db, tenants)) : [];
  return { state: 'open', ...schema, oldestTransaction: await findOldestTransaction(db), misnamed, unwanted };
}

/** Number of deliveries that are looked at, the newest first. */
const NEWEST = 100;

async function findMisnamed(db: Kysely<Database>): Promise<readonly Misnamed[]> {
  const newest = db.selectFrom('inbox').select(['endpoint', 'quarantine_reason as reason']).orderBy('id', 'desc');
  const rows = await newest.limit(NEWEST).execute();
  return [...Map.groupBy(rows, ({ endpoint }) => endpoint)].flatMap(([endpoint, deliveries]) => {
    const [tenant, ...others] = deliveries.map(({ reason }) => /^names tenant (\S+) at /.exec(reason ?? '')?.[1]);
    return tenant === undefined || others.includes(undefined) ? [] : [{ endpoint, tenant }];
  });
}

/** Writes a row that nobody sees, since the transaction is rolled back. */
async function tryWriting(db: Kysely<Database>): Promise<void> {
  const transaction = await db.startTransaction().execute();
  try {
    await transaction.insertInto('processes').values({ id: 'doctor', heartbeat_at: 0 }).execute();
  } finally {
    await transaction.rollback().execute();
  }
}
