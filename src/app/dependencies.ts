import type { Config } from '../config/config.ts';
import type { Operator, OperatorSettings } from '../config/tenants/tenant.ts';
import type { Receiver } from '../sandbox/receiver/receiver.ts';
import type { Simulator } from '../sandbox/simulator/simulator.ts';

/** Where the parts are that Dockline works with; what the environment names is used, the rest is brought along. */
export interface Places {
  readonly temporal: { readonly address: string; readonly uiUrl?: string };
  /** At least one. */
  readonly operators: readonly Operator[];
  /** Present where the only operator is a simulated one. */
  readonly simulator?: Simulator;
  /** Present where it gets announcements of some operator. */
  readonly receiver?: Receiver;
}

/** Loads what stands in for services that are not configured. */
const sandbox = () => import('../sandbox/embedded.ts');

/** Opens every place; what was started here is closed with the given stack. */
export async function openPlaces(
  config: Config,
  log: (line: string) => void,
  opened: AsyncDisposableStack,
): Promise<Places> {
  const temporal = config.TEMPORAL_ADDRESS
    ? { address: config.TEMPORAL_ADDRESS }
    : opened.adopt(await (await sandbox()).startTemporal(config, log), (it) => it.stop());
  const warehouses = config.operators.length > 0 ? { settings: config.operators } : await simulate(config, opened);
  const { settings, ...simulated } = warehouses;
  return { temporal, ...simulated, ...(await withDestinations(settings, config, opened)) };
}

async function simulate(config: Config, opened: AsyncDisposableStack) {
  const { simulatedOperator, startWarehouse } = await sandbox();
  const simulator = opened.adopt(await startWarehouse(config), (it) => it.close());
  return { simulator, settings: [simulatedOperator(config, simulator)] };
}

/** Gives each operator a destination; the receiver is started for those that have none. */
async function withDestinations(
  settings: readonly OperatorSettings[],
  config: Config,
  opened: AsyncDisposableStack,
): Promise<Pick<Places, 'operators' | 'receiver'>> {
  const operators = settings.filter((it): it is Operator => it.destination !== undefined);
  if (operators.length === settings.length) return { operators };
  const { startDestination } = await sandbox();
  const { receiver, secret } = await startDestination(config);
  opened.defer(() => receiver.close());
  const embedded = { url: receiver.url, secret };
  return { operators: settings.map((it) => ({ ...it, destination: it.destination ?? embedded })), receiver };
}
