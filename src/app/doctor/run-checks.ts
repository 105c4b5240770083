import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import type { Pace } from '../../warehouse/client/pace.ts';
import { createWarehouse } from '../../warehouse/warehouse.ts';
import { storeLocation } from '../store.ts';
import { examine, type Reporter } from './check.ts';
import { checkDeadlines } from './configuration.ts';
import { checkAlerts, checkDestinations } from './destination.ts';
import { checkIncidents, checkMachine, type ReadIncidents } from './incidents.ts';
import { checkStore, inspectStore, type StoreState } from './store.ts';
import { checkTemporal } from './temporal.ts';
import { checkWarehouse, checkWebhook, type WarehouseClient } from './warehouse.ts';

export interface Checking {
  readonly config: Config;
  readonly tenants: readonly TenantSettings[];
  readonly areas: readonly Area[];
  readonly readIncidents?: ReadIncidents;
  /** Unfinished checks are skipped. */
  readonly stop: AbortSignal;
  /** Of one exchange. Default: 8000. */
  readonly timeoutMs?: number;
  /** Shared with the worker of this process. Default: half of the tenant's rate. */
  readonly paceOf?: ((tenant: TenantSettings) => Pace | undefined) | undefined;
}

interface Around extends Pick<Checking, 'config' | 'tenants' | 'readIncidents'> {
  readonly timeoutMs: number;
  readonly inspect: () => Promise<StoreState>;
  readonly clientOf: (tenant: TenantSettings) => WarehouseClient;
}

type Checks =
  | { readonly shared: (reporter: Reporter, around: Around) => Promise<void> }
  | {
      readonly ofTenant: (reporter: Reporter, tenant: TenantSettings, around: Around) => Promise<void>;
      /** Of its warehouse, which a check may have to wait for. */
      readonly gets?: number;
    };

const GETS = 15;

/** In the order of the results. */
const table = {
  warehouse: {
    ofTenant: (it, tenant, { config, timeoutMs, clientOf }) =>
      checkWarehouse(it, tenant, { client: clientOf(tenant), proxies: config, timeoutMs }),
    gets: GETS,
  },
  deadlines: {
    ofTenant: (it, tenant, { clientOf }) => checkDeadlines(it, tenant, clientOf(tenant)),
    gets: GETS,
  },
  webhook: { ofTenant: (it, tenant, { config }) => checkWebhook(it, tenant, config) },
  destination: {
    ofTenant: (it, tenant, { config, timeoutMs }) => checkDestinations(it, tenant, config, timeoutMs),
  },
  machine: { shared: (it, { config, tenants }) => checkMachine(it, config, tenants) },
  alerts: { shared: (it, { config, timeoutMs }) => checkAlerts(it, config, timeoutMs) },
  temporal: { shared: (it, { config, timeoutMs }) => checkTemporal(it, config, timeoutMs) },
  store: { shared: (it, { config, inspect }) => checkStore(it, config, inspect()) },
  incidents: {
    shared: async (it, { readIncidents, inspect }) => {
      if (readIncidents) await checkIncidents(it, readIncidents, inspect);
    },
  },
} as const satisfies Readonly<Record<string, Checks>>;

export type Area = keyof typeof table;

export const areas = Object.keys(table) as readonly Area[];

/** Beyond the exchanges of a check, so that one reports its own timeout. */
const SLACK_MS = 1000;

/** Of a tenant's rate, where the checks cannot share that of a running Dockline. */
const RATE_SHARE = 0.5;

const SIMULATED = 'simulated; set WAREHOUSE_BASE_URL and its credential to check a real account';

/** Checks run side by side, end in time, change nothing, and show no secret. */
export async function runChecks({ areas: chosen, stop, timeoutMs = 8000, paceOf, ...of }: Checking) {
  const { config, tenants } = of;
  await using opened = new AsyncDisposableStack();
  let inspected: Promise<StoreState> | undefined;
  const inspect = () => (inspected ??= inspectStore(storeLocation(config), config.tenants));
  const open = (tenant: TenantSettings) => {
    const callsPerSecond = tenant.callsPerSecond * RATE_SHARE;
    const options = { ...tenant, proxies: config, timeoutMs, callsPerSecond, pace: paceOf?.(tenant) };
    return opened.adopt(createWarehouse({ ...options, priority: 'sweep' }), (it) => it.close());
  };
  const clients = new Map(tenants.map((tenant) => [tenant, open(tenant)]));
  const clientOf = (tenant: TenantSettings) => clients.get(tenant) as WarehouseClient;
  const around = { ...of, timeoutMs, inspect, clientOf };

  const own = { stop, timeoutMs: timeoutMs + SLACK_MS };
  const made = areas
    .filter((area) => chosen.includes(area))
    .flatMap((area) => {
      const checks: Checks = table[area];
      if ('shared' in checks) return examine({ ...own, area, tenant: null }, (it) => checks.shared(it, around));
      if (tenants.length === 0)
        return examine({ ...own, area, tenant: null }, ({ skip }) => skip(area, 'a real account', SIMULATED));
      return tenants.map((tenant) => {
        const waitMs = ((checks.gets ?? 0) / (tenant.callsPerSecond * RATE_SHARE)) * 1000;
        const options = { ...own, area, tenant: tenant.id, timeoutMs: own.timeoutMs + waitMs };
        return examine(options, (it) => checks.ofTenant(it, tenant, around));
      });
    });
  return (await Promise.all(made)).flat();
}
