import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { command } from '../../../proving/faults/fixture/database.ts';
import { isInstalled, startPostgresProcess } from '../../../proving/faults/fixture/postgres-process.ts';
import { inspectStore } from '../../../src/app/doctor/store.ts';
import { openStore, type Store } from '../../../src/app/store.ts';
import { createInbox } from '../../../src/inbox/inbox.ts';
import { connectToPostgres } from '../../../src/store/engines/connections.ts';
import { textRows } from '../../../src/store/engines/dialect.ts';
import { postgresDialect } from '../../../src/store/engines/postgres.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import type { Database } from '../../../src/store/schema.ts';
import { decisionOf, entryOf, order, orderOf } from '../../support/make.ts';
import { databaseUrl } from '../../support/postgres.ts';
import { openProxy } from '../../support/proxy.ts';
import {
  describeBehindPooler,
  describeOnPostgres,
  endConnections,
  isReachable,
  openIn,
  waitingForLocks,
} from '../databases.ts';
import { recordAs, waitingKeys } from '../recordings.ts';

const unavailable = { name: 'DocklineError', code: 'ERR_STORE_UNAVAILABLE' };

/** Notes how each transaction that writes to the inbox, or to subjects, is committed; returns what was noted. */
async function watchCommits(direct: string) {
  onTestFinished(() => command(direct, 'drop table commits; drop function note_commit cascade'));
  await command(
    direct,
    `create table commits (written text, synced text);
    create function note_commit() returns trigger language plpgsql as
      $$ begin insert into commits values (tg_table_name, current_setting('synchronous_commit')); return null; end $$;
    create constraint trigger noted after insert or update on inbox deferrable initially deferred
      for each row execute function note_commit();
    create constraint trigger noted after insert or update on subjects deferrable initially deferred
      for each row execute function note_commit()`,
  );
  return async ({ db }: Store) => (await sql<Commit>`select distinct * from commits order by written`.execute(db)).rows;
}

interface Commit {
  readonly written: string;
  readonly synced: string;
}

describeBehindPooler('a store behind PgBouncer', (database) => {
  it('makes what it acknowledges durable, whatever the session that it was lent', async () => {
    const commits = await watchCommits(database.direct);
    const name = new URL(database.direct).pathname.slice(1);
    onTestFinished(() => command(database.direct, `alter database ${name} reset synchronous_commit`));
    await command(database.direct, `alter database ${name} set synchronous_commit = off`);
    const store = await openIn(database);
    await Promise.all([1, 2, 3].map((n) => store.inbox.add([entryOf('1', n)])));
    await recordAs(store, order);
    expect(await commits(store)).toEqual([
      { written: 'inbox', synced: 'on' },
      { written: 'subjects', synced: 'on' },
    ]);
  });

  it('leaves no setting behind in sessions that others share', async () => {
    const { db } = await openIn(database);
    const { rows } = await sql`select name from pg_settings where source = 'session' and context = 'user'
      and name in ('synchronous_commit', 'idle_in_transaction_session_timeout', 'tcp_keepalives_idle')`.execute(db);
    expect(rows).toEqual([]);
  });

  it('ends the lock of a migration that failed', async () => {
    const { url } = (await database.locateBlank()) as { readonly url: string };
    const db = new Kysely<never>({
      dialect: postgresDialect(url, { connections: 2, connectMs: 5000, statementMs: 5000, synced: true }),
    });
    onTestFinished(() => db.destroy());
    const broken = { '0001-broken': { up: () => Promise.reject(new Error('interrupted')) } };
    await expect(migrate(db, 'x', broken)).rejects.toThrow('interrupted');
    const { rows } = await sql`select pid from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
    expect(rows).toEqual([]);
  });
});

describeOnPostgres('a store in PostgreSQL', (database) => {
  it.each(['on', 'off'])('makes durable writes synchronous if the default of the database is %s', async (by) => {
    const name = new URL(database.url).pathname.slice(1);
    await command(database.url, `alter database ${name} set synchronous_commit = ${by}`);
    const { db, intake, durably, close } = await connectToPostgres(database.url);
    onTestFinished(close);
    const synced = async (on: Kysely<Database>) => (await sql`show synchronous_commit`.execute(on)).rows;
    expect(await intake(synced)).toEqual([{ synchronous_commit: 'on' }]);
    expect(await durably(synced)).toEqual([{ synchronous_commit: 'on' }]);
    expect(await synced(db)).toEqual([{ synchronous_commit: 'off' }]);
  });

  it('makes what it acknowledges durable if its sessions are not', async () => {
    const commits = await watchCommits(database.url);
    const store = await openIn(database);
    await sql`set synchronous_commit = off`.execute(store.db);
    await store.inbox.add([entryOf('1', 1)]);
    await recordAs(store, order);
    expect((await commits(store)).map(({ synced }) => synced)).toEqual(['on', 'on']);
  });

  it('reads what others have committed, whatever the default of the database', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const server = databaseUrl(database.url, 'postgres');
    onTestFinished(() => command(server, `alter database ${name} reset default_transaction_isolation`));
    await command(server, `alter database ${name} set default_transaction_isolation = serializable`);
    const { db, durably, close } = await connectToPostgres(database.url);
    onTestFinished(close);
    const isolation = async (on: Kysely<Database>) => (await sql`show transaction_isolation`.execute(on)).rows;
    for (const found of [isolation(db), db.transaction().execute(isolation), durably(isolation)])
      expect(await found).toEqual([{ transaction_isolation: 'read committed' }]);
  });

  it('is refused at the start if it is read-only', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const server = databaseUrl(database.url, 'postgres');
    onTestFinished(() => command(server, `alter database ${name} reset default_transaction_read_only`));
    await command(server, `alter database ${name} set default_transaction_read_only = on`);
    await expect(openStore({ url: database.url })).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining('read-only transaction'),
    });
  });

  it.each([
    ['may not create tables', 'select'],
    ['may not use the schema', 'revoke usage on schema public from public'],
  ])('is refused if its user %s, with the grant that is missing', async (_, before) => {
    const { url } = (await database.locateBlank()) as { readonly url: string };
    const role = `unlike_${process.pid}`;
    await command(url, `create role ${role} login password 'x'; ${before}`);
    onTestFinished(() => command(url, `drop owned by ${role}; drop role ${role}`));
    const location = { url: Object.assign(new URL(url), { username: role, password: 'x' }).href };
    const grant = `grant usage, create on schema public to ${role}`;
    await expect(openStore(location)).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringMatching(`does not let the user ${role} create tables.*${grant}`),
    });
    expect(await inspectStore(location)).toMatchObject(['failed', expect.anything(), expect.stringContaining(grant)]);
    await command(url, grant);
    await (await openStore(location)).close();
  });

  it.each(['LATIN1', 'SQL_ASCII'])('is refused if it has the encoding %s, with what to do', async (encoding) => {
    const name = `${new URL(database.url).pathname.slice(1)}_encoded`;
    await command(database.url, `create database ${name} encoding '${encoding}' locale 'C' template template0`);
    onTestFinished(() => command(database.url, `drop database ${name} with (force)`));
    const location = { url: databaseUrl(database.url, name) };
    const refusal = {
      ...unavailable,
      message: expect.stringMatching(`has the encoding ${encoding},.*encoding 'UTF8'`),
    };
    await expect(openStore(location)).rejects.toMatchObject(refusal);
    await expect(inspectStore(location)).rejects.toMatchObject(refusal);
  });

  it('lets the server end connections of a process that vanished or hangs', async () => {
    const { db } = await openIn(database);
    const settings = sql`select name, setting from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'tcp_keepalives_idle') order by name`;
    const { rows } = await db.transaction().execute((transaction) => settings.execute(transaction));
    expect(rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '60000' },
      { name: 'tcp_keepalives_idle', setting: '10' },
    ]);
  });

  it('recovers after the server ended all connections, idle and active', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1)]);
    const working = sql`select pg_sleep(60)`.execute(store.db);
    const failed = expect(working).rejects.toMatchObject(unavailable);
    await expect.poll(() => sleepers(store.db)).toBe(1);
    await endConnections(database.url);
    await failed;
    await expect.poll(() => isReachable(store)).toBe(true);
    expect(await store.inbox.add([entryOf('1', 1), entryOf('1', 2)])).toEqual([false, true]);
  });

  it('reports by its error code that it cannot be reached, and recovers', async () => {
    const { store, proxy } = await openThroughProxy();
    const inbox = createInbox({ rows: store.inbox, limit: 100 });
    expect(await inbox.add(entryOf('1', 1))).toBe('accepted');
    await proxy.cut();
    const settled = await Promise.allSettled([2, 3, 4].map((n) => inbox.add(entryOf('1', n))));
    expect(settled).toMatchObject([2, 3, 4].map(() => ({ status: 'rejected', reason: unavailable })));
    await expect(store.resources.find('1', 'user', '2')).rejects.toMatchObject(unavailable);
    expect(await inbox.isReady()).toBe(false);
    await proxy.mend();
    await expect.poll(inbox.isReady).toBe(true);
    expect(await Promise.all([1, 2].map((n) => inbox.add(entryOf('1', n))))).toEqual(['duplicate', 'accepted']);
  });

  it('does not keep deliveries waiting for a server that hangs, and closes', async () => {
    const { store, proxy } = await openThroughProxy();
    let writes = 0;
    const add: typeof store.inbox.add = (entries) => {
      writes += 1;
      return store.inbox.add(entries);
    };
    const inbox = createInbox({ rows: { ...store.inbox, add }, limit: 1000 });
    await inbox.add(entryOf('1', 1));
    proxy.silence();
    const settled = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => inbox.add(entryOf('1', n + 2))));
    expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(settled[0]).toMatchObject({ reason: unavailable });
    // They wait together, not one after the other.
    expect(writes).toBe(2);
    await store.close();
  });

  it('rolls back a transaction that lost its connection, and reports the cause', async () => {
    const { store, proxy } = await openThroughProxy();
    await store.inbox.add([entryOf('1', 1)]);
    const recording = store.subjects.record(order, ['9104:1'], async ({ events }) => {
      expect(events).toHaveLength(1);
      await proxy.cut();
      return decisionOf();
    });
    await expect(recording).rejects.toMatchObject(unavailable);
    await proxy.mend();
    await expect.poll(() => isReachable(store)).toBe(true);
    expect(await waitingKeys(store)).toHaveLength(1);
    expect((await store.subjects.load(order, 0)).saved).toBeUndefined();
    expect(store.inbox.waiting()).toBe(1);
  });

  it('rejects a recording with the failure of its decision even if the connection is lost', async () => {
    const { store, proxy } = await openThroughProxy();
    const failure = new Error('refused');
    const recording = store.subjects.record(order, [], async () => {
      await proxy.cut();
      throw failure;
    });
    await expect(recording).rejects.toBe(failure);
  });

  it('discards a connection that turned out to be read-only, as after a failover', async () => {
    const { db, resources } = await openIn(database);
    await sql`set default_transaction_read_only = on`.execute(db);
    await expect(resources.put('1', 'user', '2', '{}')).rejects.toMatchObject(unavailable);
    await resources.put('1', 'user', '2', '{}');
    expect((await resources.find('1', 'user', '2'))?.body).toBe('{}');
  });

  it('accepts deliveries while all connections for other purposes are busy', async () => {
    const store = await openIn(database);
    const { inbox, subjects, db } = store;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const recordings = Array.from({ length: 15 }, (_, n) =>
      subjects.record(orderOf(String(n)), [], async () => {
        await over;
        return decisionOf();
      }),
    );
    const others = Array.from({ length: 30 }, () => db.transaction().execute(() => over));
    expect(await inbox.add([entryOf('1', 1)])).toEqual([true]);
    end();
    await Promise.all([...recordings, ...others]);
    expect(await waitingKeys(store)).toHaveLength(1);
  });

  const failWith = (state: string) => sql.raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`);

  it.each(['21000', '22012', '22P02', '23505', '54000'])(
    'takes %s for a verdict on what was to be stored',
    async (state) => {
      const { db } = await openIn(database);
      await expect(failWith(state).execute(db)).rejects.toMatchObject({ code: state });
    },
  );

  it.each([
    ...['57P01', '57P03', '53300', '53100', '25006', '08006', '58030', 'XX001', '55P03'],
    ...['40001', '40P01', '42501', '42P01', '0A000', '26000'],
  ])('translates %s of the server to "unavailable"', async (state) => {
    const { db } = await openIn(database);
    await expect(failWith(state).execute(db)).rejects.toMatchObject(unavailable);
  });

  it('records an event although a deadlock has ended the transaction', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1)]);
    const other = new pg.Client(database.direct);
    await other.connect();
    onTestFinished(() => other.end());
    // The server ends the transaction that looks for a deadlock first.
    await other.query(`begin; set local deadlock_timeout = '5min'; select from due for update`);
    let attempts = 0;
    let writing: Promise<unknown> | undefined;
    const { receivedAt } = await store.subjects.record(order, ['9104:1'], async () => {
      attempts += 1;
      writing ??= other.query('update inbox set body = body; commit');
      if (attempts === 1) await expect.poll(() => waitingForLocks(store.db)).toBe(1);
      return decisionOf();
    });
    await writing;
    expect(attempts).toBe(2);
    expect(receivedAt).toHaveLength(1);
    expect(await waitingKeys(store)).toEqual([]);
  });

  it('says why the first statement of a transaction failed, not that later ones are ignored', async () => {
    const { db } = await openIn(database);
    const failing = db.transaction().execute(async (transaction) => {
      await failWith('23505')
        .execute(transaction)
        .catch(() => {});
      await sql`select 1`.execute(transaction);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
  });

  it('names the server but not the password if it cannot be opened', async () => {
    const opening = openStore({ url: 'postgres://someone:secret@127.0.0.1:1/dockline' });
    await expect(opening).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringMatching(/^The store 127\.0\.0\.1:1\/dockline cannot be reached: .*ECONNREFUSED/),
    });
    await expect(opening).rejects.not.toThrow(/secret/);
  });

  async function openThroughProxy() {
    await database.locate();
    const url = new URL(database.url);
    const proxy = await openProxy(url.hostname, Number(url.port || 5432));
    url.host = `127.0.0.1:${proxy.port}`;
    return { proxy, store: await openIn(database, { location: { url: url.href } }) };
  }
});

async function sleepers(db: Parameters<ReturnType<typeof sql>['execute']>[0]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`.execute(db);
  return rows[0]?.count ?? 0;
}

describe.skipIf(!isInstalled())('a server that cannot make commits durable', () => {
  it('is refused with what to do', async () => {
    const server = await startPostgresProcess({ settings: { fsync: 'off' } });
    onTestFinished(() => server.stop());
    await expect(openStore({ url: server.url })).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringMatching(/^The store \S+ runs with fsync = off.*; set /),
    });
  });
});

describeOnPostgres('rows that a statement is given', (database) => {
  it('are as many as the server expects, so that it compiles no statement for their sake', async () => {
    const { db } = await openIn(database);
    const given = textRows(
      db,
      ['name', 'count'],
      [
        { name: 'a"b', count: 1 },
        { name: null, count: 2 },
      ],
    );
    expect((await sql`select * from ${given} as given`.execute(db)).rows).toEqual([
      { name: 'a"b', count: '1' },
      { name: null, count: '2' },
    ]);
    const { rows } = await sql<{ 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }] }>`
      explain (format json) select * from ${given} as one cross join ${given} as other`.execute(db);
    expect(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows']).toBe(4);
  });
});
