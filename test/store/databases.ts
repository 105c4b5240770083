import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, inject, onTestFinished } from 'vitest';
import { command } from '../../proving/faults/fixture/database.ts';
import { createStore, openStore, type Store, type StoreLocation } from '../../src/app/store.ts';
import { type Connections, connectToPostgres } from '../../src/store/engines/connections.ts';
import { readEverything } from '../../src/store/limited-reads.ts';
import { databaseUrl } from '../support/postgres.ts';
import { isThorough } from '../thoroughness.ts';
import { configure } from './configured.ts';
import { emptyFile, fillDisk, openEmptyStore, type TestStore, temporaryFile } from './temporary-store.ts';

/** Database to test with. */
export interface TestDatabase {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Returns an empty store, which replaces the last one and is deleted after the test. */
  locate(): Promise<StoreLocation>;
  /** Opens an empty store the quick way: without a thread, on shared connections. At a location, {@link openIn} opens it as the product does. */
  openEmpty(now?: () => number): Promise<Store>;
  /** Returns a database without tables, which replaces the last one. */
  locateBlank(): Promise<StoreLocation>;
  /** Makes writes fail with "unavailable" until the returned function is called. */
  refuseWrites(store: Store): Promise<() => Promise<void>>;
  /** Makes writes of one event fail. */
  refuseEvent(store: Store, eventId: string): Promise<void>;
}

/** Defines tests for both engines; on PostgreSQL, if it runs, each process of tests has its own database. */
export function describeOnBoth(title: string, define: (database: TestDatabase) => void): void {
  describeOnSqlite(title, define);
  describeOnPostgres(`${title}, on PostgreSQL`, define);
}

/** Defines tests on SQLite only, of what others prove for the queries of both engines. */
export function describeOnSqlite(title: string, define: (database: TestDatabase) => void): void {
  describe(`${title}, on SQLite`, () => define(sqlite));
}

/** Defines tests for which the engine makes no difference but in a query or two: SQLite's, or in a thorough run those on PostgreSQL. */
export function describeOnEither(title: string, define: (database: TestDatabase) => void): void {
  if (isThorough) describeOnPostgres(`${title}, on PostgreSQL`, define);
  else describeOnSqlite(title, define);
}

/** Defines tests for both engines, or in a thorough run for PostgreSQL behind PgBouncer in transaction mode, if that is installed: of what every event goes through. */
export function describeOnAll(title: string, define: (database: TestDatabase) => void): void {
  if (isThorough) describeBehindPooler(`${title}, behind PgBouncer`, define);
  else describeOnBoth(title, define);
}

/** PostgreSQL database to test with; `direct` is its address if `url` leads through a pooler. */
type PostgresDatabase = TestDatabase & { readonly url: string; readonly direct: string };

/** Defines tests for PostgreSQL only, which are skipped if it does not run. */
export function describeOnPostgres(title: string, define: (database: PostgresDatabase) => void): void {
  describeOnServer(title, (direct) => direct, define);
}

/** Defines tests for PostgreSQL behind PgBouncer only, which are skipped if one of them is missing. */
export function describeBehindPooler(title: string, define: (database: PostgresDatabase) => void): void {
  const pooler = inject('postgres')?.pooler;
  const throughPooler = (direct: string) => databaseUrl(pooler ?? direct, new URL(direct).pathname);
  describe.skipIf(!pooler)(title, () => describeOnServer('in transaction mode', throughPooler, define));
}

/** Creation of the database of this process, which its test files use one after the other: one for each would cost as much as their statements. */
let created: Promise<void> | undefined;

/** Creation of its database without tables. */
let blankCreated: Promise<void> | undefined;

function describeOnServer(
  title: string,
  reach: (direct: string) => string,
  define: (database: PostgresDatabase) => void,
): void {
  const provided = inject('postgres');
  describe.skipIf(!provided)(title, () => {
    const { server, template } = provided ?? { server: 'postgres://none', template: '' };
    const name = `${template}_${process.pid}`;
    beforeAll(() => (created ??= command(server, `create database ${name} template ${template}`)));
    define(postgres(server, name, reach));
  });
}

/** Opens the store at a location, or an empty one, for the test; a given clock replaces those of the process and of the database. */
export async function openIn(
  database: TestDatabase,
  { location, now }: { readonly location?: StoreLocation; readonly now?: () => number } = {},
): Promise<TestStore> {
  const store = await (location === undefined
    ? database.openEmpty(now)
    : openStore({ ...location, ...(now && { now }) }));
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= store.close());
  onTestFinished(close);
  return { ...store, reads: readEverything(store.reads), close };
}

const sqlite: TestDatabase = {
  name: 'SQLite',
  locate: async () => ({ file: await emptyFile() }),
  openEmpty: openEmptyStore,
  locateBlank: async () => ({ file: temporaryFile() }),
  refuseWrites: fillDisk,
  async refuseEvent({ db }, eventId) {
    await sql`create trigger refusal before insert on inbox when new.event_id = ${sql.lit(eventId)}
      begin select raise(abort, 'refused'); end`.execute(db);
  },
};

/** Deletes all rows and starts the ids over. A truncation would create files, whose syncs take a hundred times as long. */
const EMPTY = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
    execute format('delete from %I', name);
  end loop;
  perform setval(seqrelid::regclass, seqstart, false) from pg_sequence;
end $$`;

/** Connections of this process to its database, by address. Its tests share them, since connecting takes longer than most of them. */
const connected = new Map<string, Connections>();

/** Connections for general use: enough for tests of concurrency, few enough that the tests beside them have theirs. */
const GENERAL_USE = 6;
const READERS = 2;

/** Factor of the limits of time, of which some are a second: a machine with other things to do must not look like a server that hangs. */
const PATIENCE = 60;

/** Session that empties the database of this process and plans that once, opened again after a test has ended it. */
let emptying: pg.Pool | undefined;

const postgres = (server: string, name: string, reach: (direct: string) => string): PostgresDatabase => {
  const direct = databaseUrl(server, name);
  const url = reach(direct);
  const empty = () => {
    emptying ??= new pg.Pool({ connectionString: direct, max: 1, idleTimeoutMillis: 0 }).on('error', () => {});
    return emptying.query(EMPTY);
  };
  return {
    name: 'PostgreSQL',
    url,
    direct,
    async locate() {
      await empty();
      return { url };
    },
    async openEmpty(now) {
      await empty();
      const connections =
        connected.get(url) ??
        (await connectToPostgres(url, { connections: GENERAL_USE, readers: READERS, patience: PATIENCE }));
      connected.set(url, connections);
      const store = await createStore({ ...connections, close: async () => {} }, now);
      await configure(store);
      return store;
    },
    async locateBlank() {
      const blank = databaseUrl(server, `${name}_blank`);
      blankCreated ??= command(server, `create database ${name}_blank`);
      await blankCreated;
      await command(blank, 'drop schema public cascade; create schema public');
      return { url: reach(blank) };
    },
    async refuseWrites(store) {
      onTestFinished(() => command(server, `alter database ${name} reset default_transaction_read_only`));
      await command(server, `alter database ${name} set default_transaction_read_only = on`);
      await endConnections(direct);
      return async () => {
        await command(server, `alter database ${name} reset default_transaction_read_only`);
        await endConnections(direct);
        await expect.poll(() => isReachable(store)).toBe(true);
      };
    },
    async refuseEvent({ db }, eventId) {
      await sql`alter table inbox add constraint refusal check (event_id <> ${sql.lit(eventId)})`.execute(db);
      onTestFinished(() => command(direct, 'alter table inbox drop constraint refusal'));
    },
  };
};

/** Ends all connections to a database, as a restart of its server does. */
export const endConnections = (url: string): Promise<void> =>
  command(
    url,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );

/** Reports whether the connections of the webhook and all others work. */
export const isReachable = ({ db, inbox }: Store): Promise<boolean> =>
  Promise.all([sql`select 1`.execute(db), inbox.probe()]).then(
    () => true,
    () => false,
  );

/** Counts connections that wait for a lock. */
export async function waitingForLocks(db: Store['db']): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}
