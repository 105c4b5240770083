import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { command } from '../../proving/faults/fixture/database.ts';
import { hasPooler, startPooler } from '../../proving/faults/fixture/pooler.ts';
import { openStore } from '../../src/app/store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** PostgreSQL server and the name of a migrated, empty database on it; undefined if no server is reachable. */
    readonly postgres:
      | {
          readonly server: string;
          readonly template: string /** Present if PgBouncer is installed. */;
          readonly pooler?: string;
        }
      | undefined;
  }
}

/** Creates the template of the databases of test processes; returns the teardown of all. */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const server = process.env.DOCKLINE_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const template = `dockline_test_${randomUUID().slice(0, 8)}`;
  try {
    await command(server, `create database ${template}`);
  } catch (error) {
    provide('postgres', undefined);
    const reason = error instanceof Error ? error.message || error.name : String(error);
    console.warn(`Tests on PostgreSQL are skipped: ${reason}. Set DOCKLINE_TEST_DATABASE_URL to a server.`);
    return undefined;
  }
  const drop = () => dropAll(server, template);
  try {
    await (await openStore({ url: databaseUrl(server, template) })).close();
  } catch (error) {
    await drop();
    throw error;
  }
  if (!hasPooler()) {
    console.warn('Tests behind PgBouncer are skipped: it is not installed.');
    provide('postgres', { server, template });
    return drop;
  }
  // Each process of tests has a database, and a server allows a hundred sessions.
  const pooler = await startPooler(server, 10);
  provide('postgres', { server, template, pooler: pooler.urlOf('') });
  return async () => {
    await pooler.close();
    await drop();
  };
}

/** Drops the template and its copies. */
async function dropAll(server: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [template]);
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
  await client.end();
}

/** Returns the connection string of another database on the same server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = database;
  return url.href;
}
