import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchAttributes } from '../../src/domain/search-attributes.ts';
import { type Receiver, startReceiver } from '../../src/sandbox/receiver/receiver.ts';
import type { Stream } from '../../src/sandbox/simulator/random.ts';
import type { Simulator } from '../../src/sandbox/simulator/simulator.ts';
import { startSimulator } from '../../src/sandbox/simulator/simulator.ts';
import { everyWebhookRecord } from '../../src/sandbox/simulator/webhooks/record.ts';
import type { DatabaseName } from './database.ts';
import { createDatabase, type FaultDatabase } from './database.ts';
import { createDocklineProcess, type DocklineProcess } from './dockline-process.ts';
import { type Gate, openGate } from './gate.ts';
import { findQuietPorts } from './ports.ts';
import type { Tampering } from './tampering.ts';
import { createTemporalProcess, type TemporalProcess } from './temporal-process.ts';

/** Dockline in processes of its own, between a warehouse and a receiver that live in this one and survive whatever happens. */
export interface World {
  readonly folder: string;
  readonly simulator: Simulator;
  readonly receiver: Receiver;
  /** Before the receiver. */
  readonly gate: Gate;
  readonly temporal: TemporalProcess;
  /** Takes webhooks in and dispatches; on SQLite it is all there is. */
  readonly service: DocklineProcess;
  /** Answers 200 while the service takes webhooks. */
  readonly readyUrl: string;
  /** Run workflows and activities; none on SQLite, where the service does. */
  readonly workers: readonly DocklineProcess[];
  /** Only on PostgreSQL. */
  readonly database?: FaultDatabase;
}

/** What a world is made with. */
export interface WorldOptions {
  readonly fault: { readonly tamper?: (folder: string) => Promise<Tampering> };
  readonly database: DatabaseName;
  /** Path of Temporal's CLI. */
  readonly temporalBinary: string;
  readonly postgresServer: string;
  readonly path: string;
  readonly seed: number;
  readonly moments: Stream;
  /** The time between two attempts of a webhook; an outage of the webhook has to be shorter than 24 of them. */
  readonly retryIntervalMs: number;
}

const SIMULATED = { port: 0, tplId: 9104, pace: 100, rates: { duplicate: 0.1, reorder: 0.1 } };

/** How long an exchange may take, so that what hangs is noticed within an outage of seconds. */
const TIMEOUT_MS = '2000';

/** Starts everything; it is closed with the given stack. */
export async function openWorld(options: WorldOptions, opened: AsyncDisposableStack): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'dockline-faults-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const [temporalPort = 0, uiPort = 0, ...ports] = await findQuietPorts(4, options.moments.between);
  const temporal = createTemporalProcess({
    ...{ binary: options.temporalBinary, folder: join(folder, 'temporal'), port: temporalPort, uiPort },
    ...{ namespace: 'default', searchAttributes },
  });
  opened.defer(() => temporal.stop());
  const sides = await openSides(options, opened);
  const env = {
    ...{ PATH: options.path, DATA_FOLDER: join(folder, 'data'), LOG_LEVEL: 'error', RECONCILE_EVERY_MS: '0' },
    ...{ TEMPORAL_ADDRESS: temporal.address, SHUTDOWN_DELAY_MS: '500' },
    ...sides.env,
  };
  const { args, env: tamperedEnv } = (await options.fault.tamper?.(folder)) ?? { args: [], env: {} };
  const dockline = createDockline({ args, env: { ...env, ...tamperedEnv } }, ports, opened);
  // Closed first: nothing is sent to what goes.
  opened.defer(() => sides.parts.simulator.close());
  await temporal.start();
  await Promise.all([dockline.service, ...dockline.workers].map((process) => process.start()));
  sides.parts.simulator.setWebhooks(everyWebhookRecord(dockline.webhookUrl));
  return { folder, temporal, ...sides.parts, ...dockline };
}

/** What Dockline stands between and on, and the settings that lead it there. */
async function openSides(
  { database: name, postgresServer, seed, retryIntervalMs }: WorldOptions,
  opened: AsyncDisposableStack,
) {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const receiver = opened.adopt(await startReceiver({ port: 0, secret }), (it) => it.close());
  const { port, pathname } = new URL(receiver.url);
  const gate = opened.adopt(await openGate({ host: '127.0.0.1', port: Number(port) }), (it) => it.close());
  const database =
    name === 'postgres' ? opened.adopt(await createDatabase(postgresServer), (it) => it.drop()) : undefined;
  const simulator = await startSimulator({ ...SIMULATED, seed, retryIntervalMs });
  const env = {
    ...warehouseSettings(simulator),
    ...(database && { DATABASE_URL: database.url }),
    ...{ ANNOUNCE_SECRET: secret, ANNOUNCE_TIMEOUT_MS: TIMEOUT_MS },
    // By name, so that look-ups can fail.
    ANNOUNCE_URL: `http://localhost:${gate.port}${pathname}`,
  };
  return { parts: { simulator, receiver, gate, ...(database && { database }) }, env };
}

/** Dockline's processes, not started yet. */
function createDockline({ args, env }: Tampering, [webhookPort, adminPort]: number[], opened: AsyncDisposableStack) {
  const origin = `http://127.0.0.1:${webhookPort}`;
  const readyUrl = `${origin}/health/ready`;
  const settings = { ...env, WEBHOOK_PORT: String(webhookPort), ADMIN_PORT: String(adminPort) };
  const create = (name: string, roles: readonly string[], ready = {}) =>
    opened.adopt(createDocklineProcess({ name, roles, args, env: settings, ...ready }), (it) => it.stop());
  const isShared = env.DATABASE_URL !== undefined;
  return {
    readyUrl,
    webhookUrl: `${origin}/webhooks/warehouse`,
    service: create('the service', isShared ? ['webhook', 'dispatcher'] : [], { readyUrl }),
    workers: isShared ? ['one worker', 'the other worker'].map((name) => create(name, ['worker'])) : [],
  };
}

function warehouseSettings({ baseUrl, tplId, credentials: { clientId, clientSecret, userLogin } }: Simulator) {
  const url = new URL(baseUrl);
  url.hostname = 'localhost';
  return {
    ...{ WAREHOUSE_BASE_URL: url.origin, WAREHOUSE_AUTH_URL: url.origin, WAREHOUSE_TENANT: String(tplId) },
    ...{ WAREHOUSE_CLIENT_ID: clientId, WAREHOUSE_CLIENT_SECRET: clientSecret, WAREHOUSE_USER_LOGIN: userLogin },
    ...{ WAREHOUSE_CALLS_PER_SECOND: '200', WAREHOUSE_TIMEOUT_MS: TIMEOUT_MS, RETRY_SLOW_MS: '1000' },
  };
}
