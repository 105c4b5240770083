import { randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '../faults/database.ts';
import { createDocklineProcess } from '../faults/dockline-process.ts';
import { findQuietPorts } from '../faults/ports.ts';
import type { Arena } from './arena.ts';
import { TENANT } from './workload.ts';

/** What is measured against each other; those with `Webhook` take in and go no further. */
export type ContenderName = 'bare' | 'sqliteWebhook' | 'postgresWebhook' | 'textbook' | 'sqlite' | 'postgres';

/** A contender in a process of its own. */
export interface Contender {
  readonly name: ContenderName;
  readonly webhookUrl: string;
  pid(): number;
}

/** What contenders are started with. */
export interface ContenderOptions {
  readonly arena: Arena;
  /** A PostgreSQL server on which databases may be made. */
  readonly postgresServer: string;
  readonly path: string;
  /** Variables beside those that lead it to the arena. */
  readonly env?: Readonly<Record<string, string>>;
}

const program = (name: string) => fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url));

/** Dockline itself where a contender has none of its own. */
const programs: { readonly [N in ContenderName]?: string } = {
  bare: program('bare'),
  sqliteWebhook: program('webhook'),
  postgresWebhook: program('webhook'),
  textbook: program('textbook'),
};

/** Starts a contender; resolves when it takes webhooks. It is closed with the given stack. */
export async function startContender(
  name: ContenderName,
  options: ContenderOptions,
  opened: AsyncDisposableStack,
): Promise<Contender> {
  const isOnPostgres = name === 'postgres' || name === 'postgresWebhook';
  const { env, origin } = await openEnvironment({ ...options, isOnPostgres }, opened);
  const own = programs[name];
  const process = createDocklineProcess({
    ...{ name, env: { ...env, ...options.env }, args: [], roles: [], readyUrl: `${origin}/health/ready` },
    ...(own !== undefined && { program: own }),
  });
  opened.adopt(process, (it) => it.stop());
  await process.start();
  return { name, webhookUrl: `${origin}/webhooks/warehouse`, pid: process.pid };
}

/** The environment of one or more processes of an integration, and the origin of its webhook. */
export interface Environment {
  readonly env: Readonly<Record<string, string>>;
  readonly origin: string;
}

/** Finds free ports, and makes a database where it takes one; it is dropped with the given stack. */
export async function openEnvironment(
  { arena, postgresServer, path, isOnPostgres }: ContenderOptions & { readonly isOnPostgres: boolean },
  opened: AsyncDisposableStack,
): Promise<Environment> {
  const [port = 0, adminPort = 0] = await findQuietPorts(2, randomInt);
  const database = isOnPostgres ? opened.adopt(await createDatabase(postgresServer), (it) => it.drop()) : undefined;
  const ports = { WEBHOOK_PORT: String(port), ADMIN_PORT: String(adminPort) };
  const env = { PATH: path, ...ports, ...settingsOf(arena), ...(database && { DATABASE_URL: database.url }) };
  return { env, origin: `http://127.0.0.1:${port}` };
}

/** No limit of ours is to be measured. */
const UNLIMITED = {
  WAREHOUSE_CALLS_PER_SECOND: '10000',
  WEBHOOK_REQUESTS_PER_MINUTE: '100000000',
  INBOX_LIMIT: '10000000',
};

function settingsOf({ folder, warehouse, destination, temporal }: Arena): Record<string, string> {
  return {
    ...{ DATA_FOLDER: join(folder, 'data'), LOG_LEVEL: 'error', RECONCILE_EVERY_MS: '0', ...UNLIMITED },
    TEMPORAL_ADDRESS: temporal?.address ?? '127.0.0.1:1',
    ...{ WAREHOUSE_BASE_URL: warehouse.baseUrl, WAREHOUSE_AUTH_URL: warehouse.baseUrl, WAREHOUSE_TENANT: TENANT },
    ...{ WAREHOUSE_CLIENT_ID: 'bench', WAREHOUSE_CLIENT_SECRET: 'bench', WAREHOUSE_USER_LOGIN: 'bench' },
    ...{ ANNOUNCE_URL: destination.url, ANNOUNCE_SECRET: `whsec_${randomBytes(24).toString('base64')}` },
  };
}
