import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ZodError, z } from 'zod';
import type { AlertSettings } from '../src/alerts/settings.ts';
import type { Config } from '../src/config/config.ts';
import { SIMULATED_TENANT, type SimulatedSettings, type TenantSettings } from '../src/config/tenants/tenant.ts';
import type { scenarioNames } from '../src/config/variables/warehouse.ts';
import { searchAttributes } from '../src/domain/search-attributes.ts';
import { findCacheFolder } from '../src/forms/files.ts';
import { listen } from '../src/http/listen.ts';
import { simulatedDeadlines } from './cut-off.ts';
import { type Mailbox, startMailbox } from './mailbox/mailbox.ts';
import type { ReceiverLies } from './receiver/lies.ts';
import { type Receiver, startReceiver } from './receiver/receiver.ts';
import { type Manners, parseManners } from './simulator/manners.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from './simulator/simulator.ts';
import { keepEmbeddedServer } from './temporal-server/kept-server.ts';
import { LOOPBACK } from './temporal-server/port.ts';
import { findServerBinary } from './temporal-server/server-binary.ts';

/** Starts an embedded Temporal server, which is kept running. */
export async function startTemporal(config: Config, log: (line: string) => void) {
  const cacheFolder = findCacheFolder();
  const binary = await findServerBinary({ cacheFolder, log });
  const { TEMPORAL_PORT: port, TEMPORAL_UI_PORT: uiPort, TEMPORAL_NAMESPACE: namespace } = config;
  const folder = join(config.DATA_FOLDER, 'temporal');
  return await keepEmbeddedServer({ binary, folder, port, uiPort, namespace, searchAttributes, log });
}

/** Start of the ids, which advance by ten per second, so that no start repeats the ids of an earlier one. */
const EPOCH = Date.UTC(2026, 0, 1);
const FIRST_ID = 31_000_000;

/** Rate limit of the simulated warehouse. */
const RETRIEVALS_PER_SECOND = 200;

/**
 * Time within which the warehouse of a demonstration wants a webhook answered, in milliseconds. The real one waits for three seconds and then
 * for fifteen minutes; with the simulator's second between two attempts, that would flood a slow machine with what it has yet to answer.
 */
export const PATIENT_MS = 30_000;

interface Scenario extends Required<Pick<SimulatorOptions, 'manners' | 'faults'>> {
  /** Lies of the embedded receiver. Default: none. */
  readonly receiver?: Partial<ReceiverLies>;
  /** GETs per second that the warehouse allows. Default: {@link RETRIEVALS_PER_SECOND}. */
  readonly callsPerSecond?: number;
}

/** Manners and faults of the simulated warehouse, and lies of the receiver, in each scenario of `dockline start --scenario`. */
const scenarios: Readonly<Record<(typeof scenarioNames)[number], Scenario>> = {
  /** Plausible in any warehouse. */
  everyday: { manners: { packagesFirst: true, realGoods: true }, faults: {} },
  /** Everything at once that a first day against a real warehouse may bring. */
  'first-day': {
    manners: {
      spelling: 'label',
      body: 'string',
      links: 'object',
      stockRows: 'embedded',
      readLagMs: 1500,
      omitStatus: true,
      bareTransactions: true,
      realGoods: true,
      packagesFirst: true,
    },
    faults: { forbidden: ['getUser', 'getOrdersPicklist', 'getCustomer'], errorRate: 0.02, rateLimitRate: 0.02 },
  },
  /** Every answer that looks well and is not. */
  'quiet-faults': {
    manners: {
      packagesFirst: true,
      realGoods: true,
      unsetDates: true,
      oneToken: true,
      overlapping: true,
      largeRecord: true,
      unsetEventIds: 0.1,
    },
    faults: {
      wrongRecord: 0.025,
      errorIn200: 0.025,
      maintenancePage: 0.025,
      unaskedGzip: 0.025,
      cutShort: 0.025,
      partial: 0.025,
      redirects: 0.025,
      retryAfterZero: 0.025,
      tokenTaken: 0.025,
      rowsMissing: 0.2,
      rowsRepeated: 0.2,
      rowsReversed: 0.2,
      rowsOld: 0.2,
      rowsUnasked: 0.05,
      tokenErrorIn200: 0.3,
      tokenUnusable: 0.3,
    },
    // Scarce, so that orders are asked for together.
    callsPerSecond: 30,
    receiver: { closes: true, limitBytes: 64 * 1024, retryAfterZero: 0.02 },
  },
};

/** Starts the simulated warehouse. Its ids increase from one start to the next. By default it is as impatient as the real one. */
export async function startWarehouse(config: Config, answerWithinMs?: number) {
  const { WAREHOUSE_PORT: port, SIMULATOR_SEED: seed } = config;
  const rates = {
    duplicate: config.SIMULATOR_DUPLICATE_RATE,
    reorder: config.SIMULATOR_REORDER_RATE,
    late: config.SIMULATOR_LATE_RATE,
    drop: config.SIMULATOR_DROP_RATE,
  };
  const { manners: usual, faults } = scenarios[config.SIMULATOR_SCENARIO];
  const manners = readManners(config, usual);
  const firstId = FIRST_ID + Math.floor((Date.now() - EPOCH) / 100);
  return await listen({ variable: 'WAREHOUSE_PORT', host: LOOPBACK, port }, () =>
    startSimulator({
      port,
      seed,
      tplId: Number(SIMULATED_TENANT),
      rates,
      firstId,
      ...(answerWithinMs !== undefined && { answerWithinMs }),
      manners,
      faults,
    }),
  );
}

function readManners({ SIMULATOR_MANNERS }: Config, usual: Partial<Manners>): Manners {
  try {
    return parseManners(SIMULATOR_MANNERS, usual);
  } catch (error) {
    throw error instanceof ZodError ? new Error(`SIMULATOR_MANNERS: ${z.prettifyError(error)}`) : error;
  }
}

/** Returns the settings of the simulated warehouse's tenant. */
export function simulatedTenant(
  config: Config,
  settings: SimulatedSettings,
  { baseUrl, authUrl, credentials: { clientId, clientSecret, userLogin } }: Simulator,
): TenantSettings {
  return {
    ...settings,
    orderDetail: [...new Set([...settings.orderDetail, 'contacts' as const])],
    deadlines: settings.deadlines ?? simulatedDeadlines(Date.now()),
    endpoint: config.WEBHOOK_ENDPOINT,
    baseUrl,
    authUrl,
    clientId,
    clientSecret,
    userLogin,
    callsPerSecond: scenarios[config.SIMULATOR_SCENARIO].callsPerSecond ?? RETRIEVALS_PER_SECOND,
  };
}

/** Receiver with the secret of its announcements. */
interface Destination {
  readonly receiver: Receiver;
  readonly secret: string;
}

/** Starts a receiver of announcements with a new secret. */
export async function startDestination(config: Config): Promise<Destination> {
  const { ANNOUNCE_PORT: port, SIMULATOR_SCENARIO, tenants } = config;
  const { receiver: lies = {} } = tenants.length > 0 ? scenarios.everyday : scenarios[SIMULATOR_SCENARIO];
  return await listen({ variable: 'ANNOUNCE_PORT', host: LOOPBACK, port }, () => startSigned({ port, lies }));
}

/** Starts another receiver, for the shop of a demonstration, whose first one is the ERP system. */
export const startShop = (): Promise<Destination> => startSigned({ port: 0 });

async function startSigned(options: {
  readonly port: number;
  readonly lies?: Partial<ReceiverLies>;
}): Promise<Destination> {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  return { receiver: await startReceiver({ ...options, secret }), secret };
}

/** Starts a mailbox for alerts, with the settings by which they go to it. */
export async function openMailbox({
  MAILBOX_PORT: port,
}: Config): Promise<{ readonly mailbox: Mailbox; readonly alerts: AlertSettings }> {
  const mailbox = await listen({ variable: 'MAILBOX_PORT', host: LOOPBACK, port }, () => startMailbox({ port }));
  return { mailbox, alerts: alertsTo(mailbox) };
}

/** A demonstration is watched for minutes, so that its alerts open and end sooner than by the defaults. */
const alertsTo = ({ server }: Mailbox): AlertSettings => ({
  holdSeconds: 30,
  clearSeconds: 60,
  channels: [
    {
      name: 'mailbox',
      kind: 'email',
      server,
      allowPlainText: 'yes',
      from: 'dockline@example.com',
      to: ['you@example.com'],
      conditions: [],
      tenants: [],
      customers: [],
    },
  ],
});
