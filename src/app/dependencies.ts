import { type Mailbox, type Receiver, type Simulator, sandbox } from '../../sandbox/entry.ts';
import type { Guide } from '../admin/guide.ts';
import type { AlertSettings } from '../alerts/settings.ts';
import type { Config } from '../config/config.ts';
import type { SimulatedSettings, TenantSettings } from '../config/tenants/tenant.ts';
import { DEFAULT_DESTINATION } from '../destinations/settings.ts';

/** Services that Dockline works with. Services that are not configured run embedded. */
export interface Dependencies {
  readonly temporal: {
    readonly address: string;
    readonly uiUrl?: string;
    /** Process of the embedded server. */
    readonly pid?: number;
  };
  /** At least one. */
  readonly tenants: readonly TenantSettings[];
  /** Present when the only tenant is simulated. */
  readonly simulator?: Simulator;
  /** Present when a tenant has no destination configured. */
  readonly receiver?: Receiver;
  /** Settings of alerts; undefined if nobody is told. */
  readonly alerts: AlertSettings | undefined;
  /** Present when the only tenant is simulated and no alerts are configured. */
  readonly mailbox?: Mailbox;
  /** Present when the only tenant is simulated and has the embedded receiver. */
  readonly guide?: Guide;
}

/** Locates each service, or starts it embedded; embedded services close with the given stack. */
export async function openDependencies(
  config: Config,
  log: (line: string) => void,
  opened: AsyncDisposableStack,
): Promise<Dependencies> {
  const temporal = config.TEMPORAL_ADDRESS
    ? { address: config.TEMPORAL_ADDRESS }
    : opened.adopt(await (await sandbox.embedded()).startTemporal(config, log), (it) => it.stop());
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

/** Adds a guide to a demonstration whose both ends are embedded. */
async function guided(
  { temporal, simulator, receiver, mailbox, tenants = [] }: Partial<Dependencies>,
  opened: AsyncDisposableStack,
): Promise<Pick<Dependencies, 'guide'>> {
  const destination = tenants[0]?.destinations[0]?.name;
  if (!simulator || !receiver || destination === undefined) return {};
  const { createGuide } = await sandbox.guide();
  const guide = createGuide({ simulator, receiver, destination, temporal, mailboxUrl: mailbox?.url });
  opened.defer(guide.mend);
  return { guide };
}

async function simulate(config: Config, settings: SimulatedSettings, opened: AsyncDisposableStack) {
  const { openMailbox, PATIENT_MS, simulatedTenant, startWarehouse } = await sandbox.embedded();
  const simulator = opened.adopt(await startWarehouse(config, PATIENT_MS), (it) => it.close());
  const simulated = { simulator, settings: [simulatedTenant(config, settings, simulator)] };
  if (config.alerts) return simulated;
  const { mailbox, alerts } = await openMailbox(config);
  opened.defer(() => mailbox.close());
  return { ...simulated, mailbox, alerts };
}

/** Gives each tenant a destination; tenants without any share an embedded receiver. */
async function withDestinations(
  settings: readonly TenantSettings[],
  config: Config,
  opened: AsyncDisposableStack,
): Promise<Pick<Dependencies, 'tenants' | 'receiver'>> {
  if (settings.every(({ destinations }) => destinations.length > 0)) return { tenants: settings };
  const { startDestination, startShop } = await sandbox.embedded();
  const first = opened.adopt(await startDestination(config), ({ receiver }) => receiver.close());
  const send = (name: string, { receiver, secret }: typeof first) => ({
    name,
    url: receiver.url,
    secret: [secret],
    headers: {},
    tls: {},
    detail: config.ANNOUNCE_DETAIL ?? 'full',
    maxBytes: config.ANNOUNCE_MAX_BYTES,
  });
  const isDemonstration = config.tenants.length === 0;
  const shop = isDemonstration && opened.adopt(await startShop(), ({ receiver }) => receiver.close());
  const embedded = shop
    ? [send('erp', first), { ...send('shop', shop), kinds: ['order' as const] }]
    : [send(DEFAULT_DESTINATION, first)];
  const tenants = settings.map((it) => ({
    ...it,
    destinations: it.destinations.length > 0 ? it.destinations : embedded,
  }));
  const { receiver } = first;
  return { tenants, receiver };
}
