import { join } from 'node:path';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { inject, onTestFinished } from 'vitest';
import type { Places } from '../../src/bin/places.ts';
import { type Service, startService } from '../../src/bin/service.ts';
import { loadConfig } from '../../src/config.ts';
import { webhookRecords } from '../../src/demonstration/webhook-records.ts';
import { type SubjectKind, subjectKey } from '../../src/domain/subject.ts';
import { type Receiver, startReceiver } from '../../src/receiver/receiver.ts';
import {
  type Simulator,
  type SimulatorOptions,
  startSimulator,
  type WebhookRecord,
} from '../../src/simulator/simulator.ts';
import type { LifeView } from '../../workflows/messages.ts';
import { createFolder } from './temporal-server.ts';

/** What a test may have otherwise than by default. */
export interface SystemOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly simulator?: Partial<SimulatorOptions>;
  /** The resources in the messages; none by default. */
  readonly resources?: WebhookRecord['resources'];
  /** A Temporal server of the test's own; the shared one by default. */
  readonly temporalAddress?: string;
}

/** The whole of Dockline around a simulated warehouse and a receiver, on ports and in a folder of its own. */
export interface System {
  readonly simulator: Simulator;
  readonly receiver: Receiver;
  service(): Service;
  /** Ends the service and starts it again on the same data and the same addresses. */
  restart(): Promise<void>;
  /** The milestones announced of a subject, in the order of arrival, each as `3/packed` with its marks. An order by default. */
  announced(id: string, kind?: SubjectKind): string[];
  view(id: string, kind?: SubjectKind): Promise<LifeView>;
  workflowId(id: string, kind?: SubjectKind): string;
}

const SECRET = 'whsec_dGhpcyBpcyBhIHNlY3JldCBvZiB0ZXN0cw==';

Runtime.install({ logger: new DefaultLogger('ERROR') });

let systems = 0;

/** Starts a system that ends with the test. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  systems += 1;
  // Tests share a Temporal server, so each system has a tenant and a task queue of its own.
  const tplId = options.simulator?.tplId ?? process.pid * 100 + systems;
  const folder = await createFolder();
  const simulator = await startSimulator({
    port: 0,
    seed: 1,
    pace: 20,
    retryIntervalMs: 200,
    ...options.simulator,
    tplId,
  });
  const receiver = await startReceiver({ port: 0, secret: SECRET });
  let service: Service;
  let webhookPort = '0';

  async function start(): Promise<void> {
    const env = {
      DATA_FOLDER: join(folder.path, 'data'),
      QUIET_PERIOD_MS: '3600000',
      RETRY_SLOW_MS: '200',
      ...options.env,
      WEBHOOK_PORT: webhookPort,
    };
    service = await startService({
      config: loadConfig(env),
      places: placesOf(options.temporalAddress ?? inject('temporalAddress'), simulator, receiver),
      logger: pino({ level: 'silent' }),
      onFailure: (error) => {
        throw error;
      },
      taskQueue: `test-${tplId}`,
      workflowBundle: { codePath: inject('workflowBundle') },
    });
    webhookPort = new URL(service.intake.url).port;
  }

  await start();
  onTestFinished(async () => {
    await simulator.close();
    await service.close();
    await receiver.close();
    await folder.remove();
  });
  simulator.setWebhooks(webhookRecords(`http://127.0.0.1:${webhookPort}/webhooks/warehouse`, options.resources));
  const workflowId = (id: string, kind: SubjectKind = 'order') => subjectKey({ tenant: String(tplId), kind, id });
  return {
    simulator,
    receiver,
    service: () => service,
    async restart() {
      await service.close();
      await start();
    },
    announced: (subjectId, kind) =>
      receiver
        .received()
        .filter(({ id }) => id.startsWith(`${workflowId(subjectId, kind)}/`))
        .map(
          ({ id, late, inferred }) =>
            id.split('/').slice(1).join('/') + (late ? ' late' : '') + (inferred ? ' inferred' : ''),
        ),
    view: (id, kind) => service.intake.client.workflow.getHandle(workflowId(id, kind)).query<LifeView>('lifecycle'),
    workflowId,
  };
}

function placesOf(address: string, simulator: Simulator, receiver: Receiver): Places {
  const { baseUrl, authUrl, credentials } = simulator;
  return {
    temporal: { address },
    warehouse: { baseUrl, authUrl, ...credentials, retrievalsPerSecond: 1000 },
    destination: { url: receiver.url, secret: SECRET },
  };
}
