import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import type { Pace } from '../../warehouse/client/pace.ts';
import { checkAlerts } from './alerts.ts';
import { type CheckResult, createExaminer, type Reporter } from './check.ts';
import { checkClock } from './clock.ts';
import { checkDeadlines } from './deadlines.ts';
import { checkDestinations } from './destination.ts';
import { checkIncidents, type ReadIncidents } from './incidents.ts';
import { checkPorts } from './ports.ts';
import { checkDisk, checkStore } from './store.ts';
import { checkTemporal } from './temporal.ts';
import { checkWarehouse } from './warehouse.ts';
import { checkWebhook } from './webhook.ts';

/** Areas of checks, in the order of their results. Those of `tenant` are checked for each tenant. */
export const areas = [
  'warehouse',
  'deadlines',
  'webhook',
  'destination',
  'alerts',
  'clock',
  'temporal',
  'store',
  'disk',
  'ports',
  'incidents',
] as const;

/** Area of checks. */
export type Area = (typeof areas)[number];

/** Configuration and areas to check. */
export interface Checking {
  readonly config: Config;
  readonly tenants: readonly TenantSettings[];
  readonly areas: readonly Area[];
  /** Without it no incidents are read. */
  readonly readIncidents?: ReadIncidents;
  /** Ends the checks early; what is not finished is skipped. */
  readonly stop: AbortSignal;
  /** Timeout of one exchange, in milliseconds. Default: 8000. */
  readonly timeoutMs?: number;
  /** Returns the rate limit that a running Dockline uses as well; undefined for half of a tenant's rate. */
  readonly paceOf?: ((tenant: TenantSettings) => Pace | undefined) | undefined;
}

/** Number of GETs of one warehouse, at most, for which a check may have to wait at its rate. */
const QUEUE = 15;

/** Time that a check has beyond its exchanges, so that an exchange says by itself that it took too long. */
const SLACK_MS = 1000;

/** Checks that only a real warehouse allows: the name of each, and what would be tried. */
const ofRealWarehouse = {
  warehouse: ['account', 'token, and a GET of each operation'],
  deadlines: ['orders', 'when they would be due'],
  webhook: ['verification', 'public key or shared secret'],
  destination: ['test announcement', 'POST to ANNOUNCE_URL'],
  clock: ['clock', "the warehouse's"],
} as const;

const SIMULATED = 'simulated; set WAREHOUSE_BASE_URL and its credential to check a real account';

/** Makes the checks side by side. Each ends in time, they change nothing, and their results contain no secret. */
export async function runChecks({
  areas: chosen,
  tenants,
  stop,
  readIncidents,
  timeoutMs = 8000,
  config,
  paceOf,
}: Checking): Promise<readonly CheckResult[]> {
  const examine = async (
    area: Area,
    tenant: TenantSettings | undefined,
    make: (reporter: Reporter) => Promise<void>,
    waitMs = 0,
  ) => {
    if (!chosen.includes(area)) return [];
    const { reporter, results } = createExaminer({
      area,
      tenant: tenant ? (tenant.id ?? tenant.endpoint) : null,
      timeoutMs: timeoutMs + SLACK_MS + waitMs,
      stop,
    });
    await make(reporter);
    return results;
  };
  const simulated = Object.entries(ofRealWarehouse).map(([area, [name, tried]]) =>
    examine(area as Area, undefined, async ({ skip }) => skip(name, tried, SIMULATED)),
  );
  const limits = { timeoutMs, proxies: config };
  const limitsOf = (tenant: TenantSettings) => ({ ...limits, pace: paceOf?.(tenant) });
  const perTenant = tenants.flatMap((tenant) => [
    examine(
      'warehouse',
      tenant,
      (it) => checkWarehouse(it, tenant, limitsOf(tenant)),
      (QUEUE * 2000) / tenant.callsPerSecond,
    ),
    examine(
      'deadlines',
      tenant,
      (it) => checkDeadlines(it, tenant, limitsOf(tenant)),
      (QUEUE * 2000) / tenant.callsPerSecond,
    ),
    examine('webhook', tenant, (it) => checkWebhook(it, tenant, { ...limits, host: config.WEBHOOK_HOST })),
    examine('destination', tenant, (it) => checkDestinations(it, tenant, config, timeoutMs)),
  ]);
  const addresses = tenants.flatMap(({ baseUrl, authUrl }) => [baseUrl, authUrl]);
  const clock = examine('clock', undefined, (it) => checkClock(it, addresses, config));
  const ids = tenants.flatMap(({ id }) => id ?? []);
  const shared = [
    examine('alerts', undefined, (it) => checkAlerts(it, config, timeoutMs)),
    examine('temporal', undefined, (it) => checkTemporal(it, { config, tenants: ids, timeoutMs })),
    examine('store', undefined, (it) => checkStore(it, config)),
    examine('disk', undefined, (it) => checkDisk(it, config)),
    examine('ports', undefined, (it) => checkPorts(it, config)),
    ...(readIncidents ? [examine('incidents', undefined, (it) => checkIncidents(it, readIncidents))] : []),
  ];
  return (await Promise.all([...(tenants.length > 0 ? [...perTenant, clock] : simulated), ...shared])).flat();
}
