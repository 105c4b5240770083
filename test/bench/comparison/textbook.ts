import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import fastify from 'fastify';
import { Agent } from 'undici';
import { steps } from '../workload.ts';

/**
 * Textbook integration in one process, as the samples write it: the webhook awaits one `signalWithStart` for each message and
 * verifies nothing; the workflow runs one GET and one POST for each event.
 */
const taskQueue = 'textbook';
const agent = new Agent();

/** Activities of the textbook. */
export type TextbookActivities = typeof activities;

const activities = {
  async getOrder(orderId: string): Promise<unknown> {
    const url = `${process.env.WAREHOUSE_BASE_URL}/orders/${orderId}?detail=orderItems,savedElements`;
    const { statusCode, body } = await agent.request({
      ...originAndPath(url),
      method: 'GET',
      headers: { authorization: 'Bearer token' },
    });
    if (statusCode !== 200) throw new Error(`GET answered ${statusCode}`);
    return body.json();
  },
  async announce(announcement: {
    readonly orderId: string;
    readonly milestone: string;
    readonly order: unknown;
  }): Promise<void> {
    const { statusCode, body } = await agent.request({
      ...originAndPath(process.env.ANNOUNCE_URL ?? ''),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(announcement),
    });
    await body.dump();
    if (statusCode >= 300) throw new Error(`POST answered ${statusCode}`);
  },
};

function originAndPath(url: string): { readonly origin: string; readonly path: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

Runtime.install({ logger: new DefaultLogger('ERROR') });
const address = process.env.TEMPORAL_ADDRESS ?? '';
const connection = await NativeConnection.connect({ address });
const workflowsPath = fileURLToPath(new URL('textbook-workflow.ts', import.meta.url));
const worker = await Worker.create({ connection, taskQueue, workflowsPath, activities });
const client = new Client({ connection: await Connection.connect({ address }) });

const milestoneOf = new Map<string, string>(steps.map(({ name, milestone }) => [name, milestone]));
const app = fastify();
app.post<{ Body: { readonly eventType: string; readonly data: string } }>('/webhooks/warehouse', async ({ body }) => {
  const { OrderId } = JSON.parse(body.data) as { readonly OrderId: string };
  await client.workflow.signalWithStart('textbookOrder', {
    taskQueue,
    workflowId: `order-${OrderId}`,
    args: [OrderId],
    signal: 'event',
    signalArgs: [milestoneOf.get(body.eventType)],
  });
  return { status: 'accepted' };
});
app.get('/health/ready', async () => ({ status: 'ready' }));
const running = worker.run();
await app.listen({ host: '127.0.0.1', port: Number(process.env.WEBHOOK_PORT) });
await once(process, 'SIGTERM');
await app.close();
await client.connection.close();
worker.shutdown();
await running;
await connection.close();
