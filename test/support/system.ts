import { join } from 'node:path';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { inject, onTestFinished } from 'vitest';
import type { Places } from '../../src/bin/places.ts';
import { type Service, startService } from '../../src/bin/service.ts';
import { loadConfig } from '../../src/config.ts';
import { catalogue } from '../../src/domain/catalogue.ts';
import { orderKey } from '../../src/domain/order-id.ts';
import { type Receiver, startReceiver } from '../../src/receiver/receiver.ts';
import {
  type Simulator,
  type SimulatorOptions,
  startSimulator,
  type WebhookRecord,
} from '../../src/simulator/simulator.ts';
import type { OrderView } from '../../workflows/messages.ts';
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
  /** The milestones announced of an order, in the order of arrival, each as `3/packed` with its marks. */
  announced(orderId: string): string[];
  view(orderId: string): Promise<OrderView>;
  workflowId(orderId: string): string;
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
      ORDER_QUIET_PERIOD_MS: '3600000',
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
  simulator.setWebhooks([webhookRecord(webhookPort, options.resources ?? [])]);
  const workflowId = (orderId: string) => orderKey({ tenant: String(tplId), orderId });
  return {
    simulator,
    receiver,
    service: () => service,
    async restart() {
      await service.close();
      await start();
    },
    announced: (orderId) =>
      receiver
        .received()
        .filter(({ id }) => id.startsWith(`${workflowId(orderId)}/`))
        .map(
          ({ id, late, inferred }) =>
            id.split('/').slice(1).join('/') + (late ? ' late' : '') + (inferred ? ' inferred' : ''),
        ),
    view: (orderId) => service.intake.client.workflow.getHandle(workflowId(orderId)).query<OrderView>('lifecycle'),
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

const webhookRecord = (port: string, resources: NonNullable<WebhookRecord['resources']>): WebhookRecord => ({
  scope: 'Any Customer',
  description: 'Dockline under test',
  destination: `http://127.0.0.1:${port}/webhooks/warehouse`,
  eventType: 'Order',
  events: catalogue.filter(({ subject }) => subject === 'order').map(({ name }) => name),
  resources,
});
