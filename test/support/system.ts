import { join } from 'node:path';
import pRetry from 'p-retry';
import { pino } from 'pino';
import { inject, onTestFinished } from 'vitest';
import type { Receiver } from '../../sandbox/receiver/receiver.ts';
import type { Simulator, SimulatorOptions } from '../../sandbox/simulator/simulator.ts';
import { everyWebhookRecord, type WebhookRecord } from '../../sandbox/simulator/webhooks/record.ts';
import { isWhole, type Service, startRoles } from '../../src/app/service.ts';
import { roles } from '../../src/app/service-options.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { TenantSettings } from '../../src/config/tenants/tenant.ts';
import { type SubjectKind, subjectKey } from '../../src/domain/catalogue/subject.ts';
import type { SubjectView } from '../../src/domain/lifecycle/standing.ts';
import { isOutage } from '../../src/temporal/connection.ts';
import { patientCalls } from '../limits.ts';
import { quietRuntime } from './quiet-runtime.ts';
import { createFolder } from './temporal-server.ts';
import { type OpenTenant, openOnlyTenant, openTenants, type TenantOptions } from './tenants.ts';

/** Results for the subjects of one tenant. Default kind: order. */
interface Followed {
  /** Returns the announced milestones of a subject, in order of arrival, each as `3/packed` with its marks. */
  announced(id: string, kind?: SubjectKind): string[];
  /** Returns the newest announcement of that milestone, as it was composed. */
  announcement(id: string, milestone: string, kind?: SubjectKind): Promise<ComposedAnnouncement>;
  view(id: string, kind?: SubjectKind): Promise<SubjectView>;
  workflowId(id: string, kind?: SubjectKind): string;
}

/** Members of an announcement that tests read. */
interface ComposedAnnouncement {
  readonly type: string;
  readonly subject: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly data: any;
}

/** Reads a tenant's results from a service and a receiver. */
function follow(
  tenant: string,
  { service, receiver }: { readonly service: () => Service; readonly receiver: Receiver },
): Followed {
  const workflowId = (id: string, kind: SubjectKind = 'order') => subjectKey({ tenant, kind, id });
  return {
    workflowId,
    announced: (subjectId, kind) =>
      receiver
        .received()
        .filter(({ id }) => id.startsWith(`${workflowId(subjectId, kind)}/`))
        .map(
          ({ id, late, inferred }) =>
            id.split('/').slice(1).join('/') + (late ? ' late' : '') + (inferred ? ' inferred' : ''),
        ),
    async announcement(subjectId, milestone, kind) {
      const row = await service()
        .store.db.selectFrom('announcements')
        .select('body')
        .where('id', 'like', `${workflowId(subjectId, kind)}/%/${milestone}`)
        .orderBy('revision', 'desc')
        .executeTakeFirstOrThrow();
      return JSON.parse(Buffer.from(row.body).toString());
    },
    view(id, kind) {
      const handle = service().webhook.client.workflow.getHandle(workflowId(id, kind));
      // A worker with a hundred other workflows may answer after the deadline of a call.
      return pRetry(() => handle.query<SubjectView>('lifecycle'), {
        retries: 20,
        minTimeout: 100,
        maxTimeout: 1000,
        shouldRetry: ({ error }) => isOutage(error),
      });
    },
  };
}

/** Deviations from the defaults. */
export interface SystemOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly simulator?: Partial<SimulatorOptions>;
  /** Several tenants, each with its own endpoint. Default: one that owns all messages. */
  readonly tenants?: readonly TenantOptions[];
  /** Resources in the messages. Default: none. */
  readonly resources?: WebhookRecord['resources'];
  /** Gets each line of the log at its usual level. Default: there is no log. */
  readonly log?: (line: string) => void;
  /** Default: the Temporal server that all tests share. */
  readonly temporalAddress?: string;
}

/** Dockline with simulated warehouses and receivers, on its own ports and in its own folder. Members of a tenant are those of the first one. */
export interface System extends Followed {
  readonly simulator: Simulator;
  readonly receiver: Receiver;
  readonly tenants: readonly SystemTenant[];
  service(): Service;
  /** Restarts the service on the same data and addresses, with the given variables changed. */
  restart(env?: SystemOptions['env']): Promise<void>;
}

/** TenantSettings of a system. */
export interface SystemTenant extends Followed, Omit<OpenTenant, 'settingsIn'> {
  readonly tenant: string;
  /** Webhook endpoint. */
  readonly url: string;
}

quietRuntime();

let tenantCount = 0;

/** Starts a system that closes when the test ends. */
export async function startSystem(options?: SystemOptions): Promise<System> {
  const { close, ...system } = await openSystem(options);
  onTestFinished(close);
  return system;
}

/** Starts a system that stays open until it is closed. */
export async function openSystem(options: SystemOptions = {}): Promise<System & { close(): Promise<void> }> {
  // Tests share a Temporal server, so each system has tenants and a task queue of its own.
  const tplId = options.simulator?.tplId ?? process.pid * 100 + tenantCount + 1;
  tenantCount += options.tenants?.length ?? 1;
  const folder = await createFolder();
  const { TEST_ACTIVITIES: mode } = process.env;
  // A machine with other things to do must not have deliveries repeated, which tests count.
  const simulation = { port: 0, seed: 1, pace: 20, retryIntervalMs: 200, answerWithinMs: 60_000, ...options.simulator };
  const opened = options.tenants
    ? await openTenants(options.tenants, tplId, simulation)
    : [await openOnlyTenant(tplId, simulation)];
  let service: Service;
  let settings: readonly TenantSettings[] = [];
  let webhookPort = '0';

  async function start(changes: SystemOptions['env'] = {}): Promise<void> {
    const env = {
      DATA_FOLDER: join(folder.path, 'data'),
      GRACE_PERIOD_MS: '3600000',
      RETRY_SLOW_MS: '200',
      // A sweep at the full hour would be one more call.
      RECONCILE_EVERY_MS: '0',
      ...patientCalls,
      ...(mode && { TEMPORAL_ACTIVITIES: mode }),
      ...options.env,
      ...changes,
      WEBHOOK_PORT: webhookPort,
      ADMIN_PORT: '0',
    };
    const config = loadConfig(env);
    const temporal = { address: options.temporalAddress ?? inject('temporalAddress') };
    settings = opened.map(({ settingsIn }) => settingsIn(config));
    const running = await startRoles({
      config,
      roles,
      dependencies: { temporal, tenants: settings, alerts: config.alerts },
      logger: options.log ? pino({ level: 'info' }, { write: options.log }) : pino({ level: 'silent' }),
      onFailure: (error) => {
        throw error;
      },
      taskQueue: `test-${tplId}`,
      workflowBundle: { codePath: inject('workflowBundle') },
    });
    if (!isWhole(running)) throw new Error('a role did not start');
    service = running;
    webhookPort = new URL(service.webhook.url).port;
  }

  await start();
  const tenants = opened.map(({ settingsIn: _settingsIn, ...parts }, index): SystemTenant => {
    const tenant = String(parts.simulated.tplId);
    const url = service.webhook.urlOf(settings[index] as TenantSettings);
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
    async close() {
      await closeAll(opened.map(({ simulator }) => simulator));
      await service.close();
      await closeAll(opened.map(({ receiver }) => receiver));
      await folder.remove();
    },
  };
}

/** Closes each part once: tenants can share one. */
async function closeAll(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  await Promise.all([...new Set(parts)].map((part) => part.close()));
}
