import type { Dependencies } from '../src/app/service-options.ts';
import type { Config } from '../src/config/config.ts';
import type { SimulatedSettings, TenantSettings } from '../src/config/tenants/tenant.ts';
import { DEFAULT_DESTINATION } from '../src/destinations/settings.ts';
import { mainKind } from '../src/domain/kinds/kinds.ts';
import type { Mailbox } from './mailbox/mailbox.ts';
import type { Receiver } from './receiver/receiver.ts';
import type { Simulator } from './simulator/simulator.ts';

/** Dependencies of which some are embedded. */
export interface Embedded extends Dependencies {
  /** Present when the only tenant is simulated. */
  readonly simulator?: Simulator;
  /** Present when a tenant has no destination configured. */
  readonly receiver?: Receiver;
  /** Present when the only tenant is simulated and no alerts are configured. */
  readonly mailbox?: Mailbox;
}

/** Services that are not configured run embedded, and close with `opened`. */
export async function openDependencies(
  config: Config,
  log: (line: string) => void,
  opened: AsyncDisposableStack,
): Promise<Embedded> {
  const temporal = config.TEMPORAL_ADDRESS
    ? { address: config.TEMPORAL_ADDRESS }
    : opened.adopt(await (await import('./embedded.ts')).startTemporal(config, log), (it) => it.stop());
  const warehouses = config.simulated ? await simulate(config, config.simulated, opened) : { settings: config.tenants };
  const { settings, ...simulated } = warehouses;
  const announcing = await withDestinations(settings, config, opened);
  return {
    temporal,
    alerts: config.alerts,
    ...simulated,
    ...announcing,
    ...(await guided({ temporal, ...simulated, ...announcing }, opened)),
  };
}

async function guided(
  { temporal, simulator, receiver, mailbox, tenants = [] }: Partial<Embedded>,
  opened: AsyncDisposableStack,
): Promise<Pick<Dependencies, 'guide'>> {
  const destination = tenants[0]?.destinations[0]?.name;
  if (!simulator || !receiver || destination === undefined) return {};
  const { createGuide } = await import('./demonstration/guide.ts');
  const guide = createGuide({ simulator, receiver, destination, temporal, mailboxUrl: mailbox?.url });
  opened.defer(guide.repair);
  return { guide };
}

async function simulate(config: Config, settings: SimulatedSettings, opened: AsyncDisposableStack) {
  const { openMailbox, PATIENT_MS, simulatedTenant, startWarehouse } = await import('./embedded.ts');
  const simulator = opened.adopt(await startWarehouse(config, PATIENT_MS), (it) => it.close());
  const simulated = { simulator, settings: [simulatedTenant(config, settings, simulator)] };
  if (config.alerts) return simulated;
  const { mailbox, alerts } = await openMailbox(config);
  opened.defer(() => mailbox.close());
  return { ...simulated, mailbox, alerts };
}

/** Tenants without a destination share an embedded receiver. */
async function withDestinations(
  settings: readonly TenantSettings[],
  config: Config,
  opened: AsyncDisposableStack,
): Promise<Pick<Embedded, 'tenants' | 'receiver'>> {
  if (settings.every(({ destinations }) => destinations.length > 0)) return { tenants: settings };
  const { startDestination, startShop } = await import('./embedded.ts');
  const first = opened.adopt(await startDestination(config), ({ receiver }) => receiver.close());
  const send = (name: string, { receiver, secret }: typeof first) => ({
    name,
    url: receiver.url,
    secret: [secret],
    headers: {},
    tls: {},
    detail: config.ANNOUNCE_DETAIL ?? 'full',
  });
  const isDemonstration = config.tenants.length === 0;
  const shop = isDemonstration && opened.adopt(await startShop(), ({ receiver }) => receiver.close());
  const embedded = shop
    ? [send('erp', first), { ...send('shop', shop), kinds: [mainKind] }]
    : [send(DEFAULT_DESTINATION, first)];
  const tenants = settings.map((it) => ({
    ...it,
    destinations: it.destinations.length > 0 ? it.destinations : embedded,
  }));
  const { receiver } = first;
  return { tenants, receiver };
}
