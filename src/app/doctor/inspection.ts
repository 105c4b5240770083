import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { findConfiguredUnwanted } from '../../destinations/tables/withdrawals.ts';
import { messageOf } from '../../domain/errors.ts';
import { factsOf } from '../../domain/health/condition.ts';
import { type Found, reasonIn } from '../../domain/health/incident.ts';
import type { DestinationRef } from '../../domain/routing.ts';
import { ofMachine } from '../../health/conditions/machine.ts';
import { findIncidents } from '../../health/health.ts';
import { type IncidentRow, toRow } from '../../health/views/incidents.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { BUSY, resultCode } from '../../store/engines/failures.ts';
import {
  assertUsable,
  findOldestTransaction,
  type OpenTransaction,
  postgresDialect,
} from '../../store/engines/postgres.ts';
import { lockSqlite, sqliteDialect } from '../../store/engines/sqlite.ts';
import { readEverything } from '../../store/limited-reads.ts';
import { readVersion, type SchemaVersion } from '../../store/migrations/migrations.ts';
import { readInstallation } from '../../store/processes.ts';
import { createReadings } from '../../store/readings.ts';
import type { Database } from '../../store/schema.ts';
import { readMachine } from '../health.ts';
import type { StoreLocation } from '../store.ts';
import { type Finding, failed, ok, type Reporter, skipped, warning } from './check.ts';

export type StoreState =
  | { readonly state: 'absent' }
  | { readonly state: 'inUse' }
  | (SchemaVersion & {
      readonly state: 'open';
      /** Open for longest, of another connection. */
      readonly oldestTransaction: OpenTransaction | undefined;
      /** As a running Dockline would report them. */
      readonly incidents: readonly IncidentRow[];
      /** Removed by the next start, by the destinations that no longer want them. */
      readonly unwanted: readonly Unwanted[];
    });

export type Unwanted = DestinationRef & { readonly count: number };

type Tenants = Parameters<typeof findConfiguredUnwanted>[1];

/** Does not migrate; writes in a transaction that is rolled back. Rejects if that fails. */
export async function inspectStore(location: StoreLocation, tenants: Tenants = []): Promise<StoreState> {
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

/** Undefined if there is no store yet, null if it cannot be read now. */
export async function findInstallation(location: StoreLocation): Promise<string | null | undefined> {
  if ('file' in location && !existsSync(location.file)) return undefined;
  const db = open(location);
  try {
    return await readInstallation(db);
  } catch {
    return null;
  } finally {
    await db.destroy();
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

async function inspect(db: Kysely<Database>, tenants: Tenants): Promise<StoreState> {
  if (isPostgres(db)) await assertUsable(db, 'in PostgreSQL');
  const schema = await readVersion(db);
  const isUsable = schema.pending.length === 0 && schema.fault === undefined;
  if (isUsable) await tryWriting(db);
  const incidents = isUsable ? await readIncidents(db) : [];
  const unwanted = isUsable ? await Array.fromAsync(findConfiguredUnwanted(db, tenants)) : [];
  return { state: 'open', ...schema, oldestTransaction: await findOldestTransaction(db), incidents, unwanted };
}

async function readIncidents(db: Kysely<Database>): Promise<readonly IncidentRow[]> {
  const readings = createReadings(readEverything(db), Date.now);
  const logger = { info() {}, error() {} };
  const found = await findIncidents({ ...readings, isOfCustomers: false, now: Date.now(), timeZone: 'UTC' }, logger);
  return found.filter(({ isOver }) => !isOver).map(toRow);
}

async function tryWriting(db: Kysely<Database>): Promise<void> {
  const transaction = await db.startTransaction().execute();
  try {
    await transaction.insertInto('processes').values({ id: 'doctor', heartbeat_at: 0 }).execute();
  } finally {
    await transaction.rollback().execute();
  }
}

/** Conditions of the machine that can be asked before the start: what is looked at, and what is said of it while it is well. */
const asked = [
  ['clock-wrong', 'the dates that servers of the warehouse answer', 'no clock is wrong'],
  ['disk-nearly-full', 'the disk of DATA_FOLDER', 'has space'],
  ['certificate-expiring', 'the client certificates', 'none expires soon'],
] as const;

export async function checkMachine(
  { check }: Reporter,
  config: Config,
  tenants: readonly TenantSettings[],
): Promise<void> {
  const sources = { machine: readMachine({ config, tenants }), now: Date.now(), timeZone: 'UTC' };
  await Promise.all(
    asked.map(([condition, tried, well]) =>
      check(condition, tried, async () => {
        const [first, ...more]: readonly Found[] = await ofMachine[condition](sources);
        if (!first) return ok(well);
        const title = [first, ...more].map((it) => it.title).join('; ');
        return judge({ ...factsOf(condition), title, lastAnswer: first.because ?? null });
      }),
    ),
  );
}

type Known = Pick<IncidentRow, 'name' | 'title' | 'isUrgent' | 'help' | 'lastAnswer'>;

export type ReadIncidents = () => Promise<readonly Known[]>;

/** As the running Dockline reports them, or else as its store shows. */
export async function checkIncidents(
  { check }: Reporter,
  readRunning: ReadIncidents,
  inspect: () => Promise<StoreState>,
): Promise<void> {
  const incidents = await check<readonly Known[]>(
    'incidents',
    'the Dockline that runs, or else the store',
    async () => {
      const say = (found: readonly Known[], where: string) =>
        ok(found.length === 0 ? `nothing is wrong${where}` : `${found.length} open${where}`, found);
      try {
        return say(await readRunning(), '');
      } catch (error) {
        const store = await inspect().catch(() => undefined);
        return store?.state === 'open' ? say(store.incidents, ', as the store shows') : skipped(messageOf(error));
      }
    },
  );
  for (const it of incidents ?? []) await check(it.name, 'incident', async () => judge(it));
}

function judge({ title, isUrgent, help, lastAnswer }: Omit<Known, 'name'>): Finding {
  const reason = reasonIn({ because: lastAnswer, title });
  const found = reason === null ? title : `${title}: ${reason}`;
  return (isUrgent ? failed : warning)(found, help);
}
