import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import fastify from 'fastify';
import { announce, getOrder, milestoneOf } from './calls.ts';

/**
 * The least that is durable on Temporal, in one process, which is the floor of any integration on this engine: the webhook awaits one
 * `signalWithStart` for each message and verifies nothing; the workflow runs one local activity for each event, which makes the GET and the POST.
 */
const taskQueue = 'least';

/** Activities of the least workflow. */
export type LeastActivities = typeof activities;

const activities = {
  async getAndAnnounce(orderId: string, milestone: string) {
    await announce({ orderId, milestone, order: await getOrder(orderId) });
  },
};

Runtime.install({ logger: new DefaultLogger('ERROR') });
const address = process.env.TEMPORAL_ADDRESS ?? '';
const connection = await NativeConnection.connect({ address });
const workflowsPath = fileURLToPath(new URL('least-workflow.ts', import.meta.url));
const worker = await Worker.create({ connection, taskQueue, workflowsPath, activities });
const client = new Client({ connection: await Connection.connect({ address }) });

const app = fastify();
app.post<{ Body: { readonly eventType: string; readonly data: string } }>('/webhooks/warehouse', async ({ body }) => {
  const { OrderId: orderId } = JSON.parse(body.data) as { readonly OrderId: string };
  await client.workflow.signalWithStart('leastOrder', {
    taskQueue,
    workflowId: `order-${orderId}`,
    args: [orderId],
    signal: 'event',
    signalArgs: [milestoneOf(body.eventType)],
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
