import { existsSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { plural } from '../../base/text.ts';
import type { Config } from '../../config/config.ts';
import { findConfiguredUnwanted } from '../../destinations/tables/withdrawals.ts';
import { messageOf } from '../../domain/errors.ts';
import type { DestinationRef } from '../../domain/routing.ts';
import { findIncidents } from '../../health/health.ts';
import { type IncidentRow, toRow } from '../../health/views/incidents.ts';
import { certificateAdvice } from '../../http/agent.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { BUSY, resultCode } from '../../store/engines/failures.ts';
import {
  assertUsable,
  findOldestTransaction,
  type OpenTransaction,
  postgresDialect,
} from '../../store/engines/postgres.ts';
import { lockSqlite, sqliteDialect } from '../../store/engines/sqlite.ts';
import { createReadings, readEverything } from '../../store/limited-reads.ts';
import { readVersion, type SchemaVersion } from '../../store/migrations/migrations.ts';
import type { Database } from '../../store/schema.ts';
import { findExisting } from '../health.ts';
import type { StoreLocation } from '../store.ts';
import { type Finding, failed, ok, type Reporter, skipped, warning } from './check.ts';

export type StoreState =
  | { readonly state: 'absent' }
  | { readonly state: 'inUse' }
  | (SchemaVersion & {
      readonly state: 'open';
      readonly oldestTransaction: OpenTransaction | undefined;
      readonly incidents: readonly IncidentRow[];
      /** Removed by the next start, by the destinations that no longer want them. */
      readonly unwanted: readonly Unwanted[];
    });

type Unwanted = DestinationRef & { readonly count: number };

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
  const found = await findIncidents({ ...readings, now: Date.now(), timeZone: 'UTC' }, logger);
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

export async function checkStore(
  { check }: Reporter,
  { DATABASE_URL: url, DATA_FOLDER }: Pick<Config, 'DATABASE_URL' | 'DATA_FOLDER'>,
  inspected: Promise<StoreState>,
): Promise<void> {
  await check(url ? 'PostgreSQL' : 'SQLite', url ? withoutSecrets(url) : join(DATA_FOLDER, 'dockline.db'), () =>
    inspected.then(judge, (error) =>
      failed(messageOf(error), url ? adviseOnPostgres(messageOf(error)) : 'Check DATA_FOLDER, and who owns its files.'),
    ),
  );
  await check('data folder', DATA_FOLDER, async () => {
    const folder = findExisting(resolve(DATA_FOLDER));
    if (await isWritable(folder)) return ok('is writable');
    return failed(`${folder} is not writable for this user`, 'Check DATA_FOLDER, and who owns it.');
  });
}

export function judge(store: StoreState): Finding {
  if (store.state === 'absent') return ok('will be created at the start');
  if (store.state === 'inUse')
    return skipped('another process has it open, such as a running Dockline: not written to');
  const { version, pending, fault, oldestTransaction, unwanted } = store;
  if (fault) return failed(fault.reason, fault.advice);
  if (oldestTransaction && oldestTransaction.ms > LONG_MS)
    return warning(
      `a transaction ${describe(oldestTransaction)} has been open for ${Math.round(oldestTransaction.ms / 60_000)} min`,
      'End it (select pg_terminate_backend(pid)): while it is open, nothing that was deleted since is vacuumed, and every queue in the database becomes slower.',
    );
  if (unwanted.length > 0)
    return warning(
      `the next start takes out what waits and is no longer wanted: ${unwanted.map(describeUnwanted).join(', ')}`,
      'If it is still to be sent, change customers, kinds and types of the destination back before the start.',
    );
  const next = pending.length > 0 ? `, will be migrated at the start: ${pending.join(', ')}` : ', is writable';
  return ok(`has version ${version} of the schema${next}`);
}

/** No transaction of Dockline takes this long. */
const LONG_MS = 600_000;

const describeUnwanted = ({ tenant, name, count }: Unwanted): string =>
  `${count === COUNTED ? 'at least ' : ''}${plural(count, 'announcement')} for ${name} of ${tenant}`;

const describe = ({ pid, application, user }: OpenTransaction): string =>
  `of the user ${user} (pid ${pid}${application && `, ${application}`})`;

/** Tries it: permissions do not tell a read-only or virtual file system. */
const isWritable = (folder: string): Promise<boolean> =>
  mkdtemp(join(folder, '.dockline-')).then(
    async (made) => {
      await rmdir(made);
      return true;
    },
    () => false,
  );

function withoutSecrets(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}

const adviceOn: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /does not match certificate's altnames/,
    'DATABASE_URL must name the server by a name in its certificate; sslmode=no-verify encrypts without checking who answers.',
  ],
  [
    /certificate (has expired|is not yet valid)/,
    "Renew the server's certificate, and check the clocks of both machines.",
  ],
  [
    /server does not support SSL/,
    'Turn on ssl in postgresql.conf, or write sslmode=disable in DATABASE_URL if the network is yours.',
  ],
  [/no encryption/, 'The server accepts encrypted connections only: append sslmode=verify-full to DATABASE_URL.'],
  [/, open '|PEM/, 'Check the files that sslrootcert, sslcert and sslkey in DATABASE_URL name.'],
];

const TRUST =
  'append sslmode=verify-full&sslrootcert=/path/to/authority.pem to DATABASE_URL, or sslmode=no-verify to encrypt without checking who answers.';

function adviseOnPostgres(message: string): string {
  const [, advice = certificateAdvice(message, TRUST)] = adviceOn.find(([pattern]) => pattern.test(message)) ?? [];
  return advice ?? 'Check DATABASE_URL, the rights of its user, and the settings of the server.';
}
