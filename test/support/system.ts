import { join } from 'node:path';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { inject, onTestFinished } from 'vitest';
import { type Service, startService } from '../../src/app/service.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { Tenant } from '../../src/config/tenants/tenant.ts';
import type { Receiver } from '../../src/sandbox/receiver/receiver.ts';
import type { Simulator, SimulatorOptions } from '../../src/sandbox/simulator/simulator.ts';
import type { WebhookRecord } from '../../src/sandbox/simulator/webhooks/record.ts';
import { everyWebhookRecord } from '../../src/sandbox/simulator/webhooks/record.ts';
import { type Followed, follow } from './followed.ts';
import { createFolder } from './temporal-server.ts';
import { type OpenTenant, openOnlyTenant, openTenants, type TenantOptions } from './tenants.ts';

/** What a test may have otherwise than by default. */
export interface SystemOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly simulator?: Partial<SimulatorOptions>;
  /** Several tenants, each with an endpoint of its own; by default there is one, and all messages are its. */
  readonly tenants?: readonly TenantOptions[];
  /** The resources in the messages; none by default. */
  readonly resources?: WebhookRecord['resources'];
  /** A Temporal server of the test's own; the shared one by default. */
  readonly temporalAddress?: string;
}

/** The whole of Dockline around simulated warehouses and receivers, on ports and in a folder of its own; first of all for its first tenant. */
export interface System extends Followed {
  readonly simulator: Simulator;
  readonly receiver: Receiver;
  readonly tenants: readonly SystemTenant[];
  service(): Service;
  /** Ends the service and starts it again on the same data and the same addresses, with other variables where given. */
  restart(env?: SystemOptions['env']): Promise<void>;
}

/** One tenant of a system. */
export interface SystemTenant extends Followed, Omit<OpenTenant, 'settingsIn'> {
  readonly tenant: string;
  /** Where its webhooks go. */
  readonly url: string;
}

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
});

/** How activities are tried, where a file of tests is run with another setting than the default. */
const activities = process.env.TEST_ACTIVITIES ? { TEMPORAL_ACTIVITIES: process.env.TEST_ACTIVITIES } : {};

let tenantCount = 0;

/** Starts a system that ends with the test. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  // Tests share a Temporal server, so each system has tenants and a task queue of its own.
  const tplId = options.simulator?.tplId ?? process.pid * 100 + tenantCount + 1;
  tenantCount += options.tenants?.length ?? 1;
  const folder = await createFolder();
  const simulation = { port: 0, seed: 1, pace: 20, retryIntervalMs: 200, ...options.simulator };
  const opened = options.tenants
    ? await openTenants(options.tenants, tplId, simulation)
    : [await openOnlyTenant(tplId, simulation)];
  let service: Service;
  let settings: readonly Tenant[] = [];
  let webhookPort = '0';

  async function start(changes: SystemOptions['env'] = {}): Promise<void> {
    const env = {
      DATA_FOLDER: join(folder.path, 'data'),
      GRACE_PERIOD_MS: '3600000',
      RETRY_SLOW_MS: '200',
      // A sweep at the full hour would be one more call.
      RECONCILE_EVERY_MS: '0',
      ...activities,
      ...options.env,
      ...changes,
      WEBHOOK_PORT: webhookPort,
      ADMIN_PORT: '0',
    };
    const config = loadConfig(env);
    const temporal = { address: options.temporalAddress ?? inject('temporalAddress') };
    settings = opened.map(({ settingsIn }) => settingsIn(config));
    service = await startService({
      config,
      dependencies: { temporal, tenants: settings },
      logger: pino({ level: 'silent' }),
      onFailure: (error) => {
        throw error;
      },
      taskQueue: `test-${tplId}`,
      workflowBundle: { codePath: inject('workflowBundle') },
    });
    webhookPort = new URL(service.webhook.url).port;
  }

  await start();
  onTestFinished(async () => {
    await closeAll(opened.map(({ simulator }) => simulator));
    await service.close();
    await closeAll(opened.map(({ receiver }) => receiver));
    await folder.remove();
  });
  const tenants = opened.map(({ settingsIn: _settingsIn, ...parts }, index): SystemTenant => {
    const tenant = String(parts.simulated.tplId);
    const url = service.webhook.urlOf(settings[index] as Tenant);
    parts.simulated.setWebhooks(everyWebhookRecord(url, options.resources));
    return { ...parts, ...follow(tenant, { service: () => service, receiver: parts.receiver }), tenant, url };
  });
  const [first] = tenants as [SystemTenant];
  return {
    ...first,
    tenants,
    service: () => service,
    async restart(env) {
      await service.close();
      await start(env);
    },
  };
}

/** Several tenants can share one. */
async function closeAll(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  await Promise.all([...new Set(parts)].map((part) => part.close()));
}
