import type { Config } from '../config.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { startDestination, startTemporal, startWarehouse } from './embedded.ts';

/** The simulated warehouse publishes its limit. */
const SIMULATOR_RETRIEVALS_PER_SECOND = 200;

/** Where the parts are that Dockline works with; what the environment names is used, the rest is brought along. */
export interface Places {
  readonly temporal: { readonly address: string; readonly uiUrl?: string };
  readonly warehouse: {
    readonly baseUrl: string;
    readonly authUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly userLogin: string;
    readonly retrievalsPerSecond: number;
    readonly simulator?: Simulator;
  };
  readonly destination: { readonly url: string; readonly secret: string; readonly receiver?: Receiver };
}

/** Opens every place; what was started here is closed with the given stack. */
export async function openPlaces(
  config: Config,
  log: (line: string) => void,
  opened: AsyncDisposableStack,
): Promise<Places> {
  return {
    temporal: config.TEMPORAL_ADDRESS
      ? { address: config.TEMPORAL_ADDRESS }
      : opened.adopt(await startTemporal(config, log), (it) => it.stop()),
    warehouse: namedWarehouse(config) ?? (await simulatedWarehouse(config, opened)),
    destination: namedDestination(config) ?? (await embeddedDestination(config, opened)),
  };
}

function namedWarehouse(config: Config): Places['warehouse'] | undefined {
  if (!config.WAREHOUSE_BASE_URL) return undefined;
  return {
    baseUrl: config.WAREHOUSE_BASE_URL,
    authUrl: config.WAREHOUSE_AUTH_URL ?? '',
    clientId: config.WAREHOUSE_CLIENT_ID ?? '',
    clientSecret: config.WAREHOUSE_CLIENT_SECRET ?? '',
    userLogin: config.WAREHOUSE_USER_LOGIN ?? '',
    retrievalsPerSecond: config.WAREHOUSE_CALLS_PER_SECOND,
  };
}

async function simulatedWarehouse(config: Config, opened: AsyncDisposableStack): Promise<Places['warehouse']> {
  const simulator = opened.adopt(await startWarehouse(config), (it) => it.close());
  const { baseUrl, authUrl, credentials } = simulator;
  return { baseUrl, authUrl, ...credentials, retrievalsPerSecond: SIMULATOR_RETRIEVALS_PER_SECOND, simulator };
}

function namedDestination({ ANNOUNCE_URL: url, ANNOUNCE_SECRET: secret }: Config): Places['destination'] | undefined {
  return url && secret ? { url, secret } : undefined;
}

async function embeddedDestination(config: Config, opened: AsyncDisposableStack): Promise<Places['destination']> {
  const { receiver, secret } = await startDestination(config);
  opened.defer(() => receiver.close());
  return { url: receiver.url, secret, receiver };
}
