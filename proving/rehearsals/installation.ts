import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Receiver, startReceiver } from '../../sandbox/receiver/receiver.ts';
import { type Simulator, startSimulator } from '../../sandbox/simulator/simulator.ts';
import { everyWebhookRecord } from '../../sandbox/simulator/webhooks/record.ts';
import { patience } from '../../test/limits.ts';
import { createFolder } from '../../test/support/temporal-server.ts';
import { variablesOf } from '../../test/support/warehouse-variables.ts';
import { createDocklineProcess, type DocklineProcess } from '../faults/fixture/dockline-process.ts';
import { findPorts } from '../faults/fixture/ports.ts';
import { verify } from '../faults/verification.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Dockline as somebody installed it: in a folder of its own, configured by its `.env`, between a simulated warehouse and a receiver. */
export interface Installation {
  readonly folder: string;
  readonly simulator: Simulator;
  readonly receiver: Receiver;
  readonly webhookUrl: string;
  /** Secret of the announcements. */
  readonly secret: string;
  /** Changes variables of `.env`; the next start reads them. */
  configure(changes: Variables): Promise<void>;
  /** Resolves when it accepts webhooks. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Runs a command line in its folder, with `.env` also in the environment. Resolves with what it prints. */
  run(command: string): Promise<{ readonly code: number | null; readonly output: string }>;
  /** Runs a command of `dockline admin` likewise. Resolves with what it prints. */
  admin(command: string): Promise<string>;
  /** Its process. */
  readonly process: DocklineProcess;
  /** Plays orders and receipts to their ends, and resolves when all webhooks are accepted or given up. */
  play(): Promise<void>;
  /** Resolves when everything that was accepted is announced, once and in order. */
  untilAnnounced(): Promise<void>;
}

const REPOSITORY = resolve(import.meta.dirname, '../..');

/** Parts of the repository that an installation has. */
const PARTS = ['package.json', 'node_modules', 'src', 'sandbox', 'workflows', 'activities'];

const PATH = [dirname(process.execPath), process.env.PATH].join(':');

const LOAD = { orders: 3, receipts: 1 };

/** Opens an installation, with these variables and arguments for Node, that closes when the test ends. It is not started. */
export async function openInstallation(settings: Variables = {}, args: readonly string[] = []): Promise<Installation> {
  const { path: folder, remove } = await createFolder();
  onTestFinished(remove);
  for (const part of PARTS) await symlink(join(REPOSITORY, part), join(folder, part));
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const receiver = await startReceiver({ port: 0, secret });
  onTestFinished(() => receiver.close());
  const simulator = await startSimulator({ port: 0, seed: 8, pace: 20, retryIntervalMs: 1_000 * patience });
  const ports = await choosePorts();
  const webhookUrl = `http://127.0.0.1:${ports.WEBHOOK_PORT}/webhooks/warehouse`;
  simulator.setWebhooks(everyWebhookRecord(webhookUrl));
  const env = { PATH, HOME: process.env.HOME ?? '' };
  const service = createDocklineProcess({
    name: 'Dockline',
    roles: [],
    args,
    env,
    folder,
    readyUrl: `http://127.0.0.1:${ports.WEBHOOK_PORT}/health/ready`,
  });
  onTestFinished(() => service.stop());
  onTestFinished(() => simulator.close());
  let variables: Variables = {};
  const configure = async (changes: Variables) => {
    variables = { ...variables, ...changes };
    await writeFile(join(folder, '.env'), toFile(variables));
  };
  await configure({ ...ports, ...variablesOf(simulator), ...impatient, ...settings });
  await configure({ ANNOUNCE_URL: receiver.url, ANNOUNCE_SECRET: secret });
  const run = (command: string) => runIn(folder, command, { ...env, ...variables });
  return {
    folder,
    simulator,
    receiver,
    webhookUrl,
    secret,
    configure,
    process: service,
    start: service.start,
    stop: service.stop,
    run,
    admin: async (command) => (await run(`npx dockline admin ${command}`)).output,
    play: () => simulator.play(LOAD),
    async untilAnnounced() {
      const flawless = { undelivered: 0, missing: 0, duplicates: 0, outOfOrder: 0 };
      await expect.poll(() => verify({ simulator, receiver })).toMatchObject(flawless);
      expect(verify({ simulator, receiver }).accepted).toBeGreaterThan(0);
    },
  };
}

/** Opens an installation and starts it; in it an order has been created and announced. */
export async function openWithOrder(...args: Parameters<typeof openInstallation>) {
  const installation = await openInstallation(...args);
  await installation.start();
  const orderId = installation.simulator.createOrder();
  await installation.simulator.emit(orderId, 'OrderCreate');
  await installation.untilAnnounced();
  return { ...installation, orderId };
}

const portNames = ['WEBHOOK_PORT', 'ADMIN_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'] as const;

async function choosePorts(): Promise<Readonly<Record<(typeof portNames)[number], string>>> {
  const ports = await findPorts(portNames.length, (from, to) => randomInt(from, to + 1));
  const [webhook, admin, temporal, ui] = ports.map(String) as [string, string, string, string];
  return { WEBHOOK_PORT: webhook, ADMIN_PORT: admin, TEMPORAL_PORT: temporal, TEMPORAL_UI_PORT: ui };
}

/** Waits that are seconds or minutes by default. */
const impatient = {
  WAREHOUSE_CALLS_PER_SECOND: '200',
  RETRY_SLOW_MS: '500',
  REDISPATCH_AFTER_MS: '2000',
  RECONCILE_EVERY_MS: '0',
  WAREHOUSE_READ_LAG_MS: '500',
};

const toFile = (variables: Variables): string =>
  Object.entries(variables)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}\n`]))
    .join('');

async function runIn(folder: string, command: string, env: Variables) {
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
