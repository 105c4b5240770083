import { randomBytes } from 'node:crypto';
import { type Receiver, startReceiver } from '../../sandbox/receiver/receiver.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../sandbox/simulator/simulator.ts';
import type { Tenant as SimulatedTenant } from '../../sandbox/simulator/tenant.ts';
import type { Config } from '../../src/config/config.ts';
import type { SimulatedSettings, TenantSettings } from '../../src/config/tenants/tenant.ts';
import { destinationOf } from './make.ts';

export interface TenantOptions {
  /** Gives the tenant its own simulator with its own faults. Default: it shares one with the others. */
  readonly apart?: boolean;
  /** Default: the one of the simulator. */
  readonly utcOffsetMinutes?: number;
  /** Settings that differ from the defaults. */
  readonly settings?: Partial<TenantSettings>;
}

/** Tenant with its simulator and receiver. */
export interface OpenTenant {
  readonly simulator: Simulator;
  readonly simulated: SimulatedTenant;
  readonly receiver: Receiver;
  settingsIn(config: Config): TenantSettings;
}

type Simulation = Omit<SimulatorOptions, 'tenants' | 'tplId'>;

/** Returns the settings that a configuration without a warehouse has. */
function simulatedIn({ simulated }: Config): SimulatedSettings & Pick<TenantSettings, 'deadlines'> {
  if (!simulated) throw new Error('The configuration has a warehouse.');
  return { ...simulated, deadlines: simulated.deadlines ?? [] };
}

/** Rate that slows no test. */
const CALLS_PER_SECOND = 1000;

/** Opens the tenant of an installation without a file of settings. */
export async function openOnlyTenant(tplId: number, simulation: Simulation): Promise<OpenTenant> {
  const simulator = await startSimulator({ ...simulation, tplId });
  const { receiver, destination } = await openReceiver();
  const { baseUrl, authUrl, credentials } = simulator;
  const { type: _type, tpl: _tpl, ...credential } = credentials;
  return {
    simulator,
    simulated: simulator,
    receiver,
    settingsIn: (config) => ({
      ...simulatedIn(config),
      id: config.WAREHOUSE_TENANT ?? String(tplId),
      endpoint: config.WEBHOOK_ENDPOINT,
      baseUrl,
      authUrl,
      ...credential,
      callsPerSecond: CALLS_PER_SECOND,
      destinations: [destination],
    }),
  };
}

/** Opens several tenants with one dynamic credential; behind one simulator, they have the same ids. */
export async function openTenants(
  options: readonly TenantOptions[],
  firstTplId: number,
  simulation: Simulation,
): Promise<OpenTenant[]> {
  const numbered = options.map((one, index) => ({ ...one, tplId: firstTplId + index }));
  const start = (some: typeof numbered) =>
    startSimulator({
      ...simulation,
      tenants: some.map(({ tplId, utcOffsetMinutes }) => ({
        tplId,
        ...(utcOffsetMinutes !== undefined && { utcOffsetMinutes }),
      })),
    });
  const together = numbered.filter(({ apart }) => !apart);
  const shared = together.length > 0 ? await start(together) : undefined;
  const common = await openReceiver();
  return await Promise.all(
    numbered.map(async (one) => {
      const simulator = one.apart || !shared ? await start([one]) : shared;
      return openTenant(one, simulator, common);
    }),
  );
}

function openTenant(
  { tplId, settings }: TenantOptions & { readonly tplId: number },
  simulator: Simulator,
  { receiver, destination }: Awaited<ReturnType<typeof openReceiver>>,
): OpenTenant {
  const simulated = simulator.tenant(tplId);
  const { type: _type, ...credential } = simulated.credentialOf('singleTenantDynamic');
  const { baseUrl, authUrl } = simulator;
  return {
    simulator,
    simulated,
    receiver,
    settingsIn: (config) => ({
      ...simulatedIn(config),
      id: String(tplId),
      endpoint: String(tplId),
      baseUrl,
      authUrl,
      ...credential,
      callsPerSecond: CALLS_PER_SECOND,
      destinations: [destination],
      ...settings,
    }),
  };
}

async function openReceiver() {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const receiver = await startReceiver({ port: 0, secret });
  return { receiver, destination: destinationOf({ url: receiver.url, secret: [secret] }) };
}
