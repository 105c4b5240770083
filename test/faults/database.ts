import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Gate, openGate } from './gate.ts';

/** A database that Dockline can use. */
export type DatabaseName = 'sqlite' | 'postgres';

/** A database of a run's own on a PostgreSQL server, reached through a gate. */
export interface FaultDatabase {
  readonly url: string;
  /** Ends all its sessions and takes no new ones for that long, as a server that is restarted does. */
  restart(forMs: number, signal: AbortSignal): Promise<void>;
  drop(): Promise<void>;
}

/** Makes an empty database. Rejects where the server is not there. */
export async function createDatabase(server: string): Promise<FaultDatabase> {
  const name = `dockline_faults_${randomUUID().slice(0, 8)}`;
  await command(server, `create database ${name}`);
  const { hostname, port } = new URL(server);
  const gate = await openGate({ host: hostname || '127.0.0.1', port: Number(port || 5432) });
  const url = new URL(server);
  url.host = `127.0.0.1:${gate.port}`;
  url.pathname = name;
  return {
    url: url.href,
    restart: (forMs, signal) => restart({ server, name, gate }, forMs, signal),
    async drop() {
      await gate.close();
      await command(server, `drop database ${name} with (force)`);
    },
  };
}

/** Why there is no PostgreSQL server at that address; undefined where there is one. */
export async function whyNoPostgres(server: string): Promise<string | undefined> {
  return await command(server, 'select 1').then(
    () => undefined,
    (error: Error) => error.message || error.name,
  );
}

async function restart(
  { server, name, gate }: { readonly server: string; readonly name: string; readonly gate: Gate },
  forMs: number,
  signal: AbortSignal,
): Promise<void> {
  // On the server first, so that what was not committed is rolled back there and not only unheard of here.
  await command(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  gate.set('closed');
  try {
    await pause(forMs, undefined, { signal });
  } finally {
    gate.set('open');
  }
}

/** Runs one statement on a connection of its own. */
export async function command(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // Its failure is the failure of what is awaited.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}
