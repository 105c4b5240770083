import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import fastify from 'fastify';
import { announce, getOrder, milestoneOf } from './calls.ts';

/**
 * Integration with a queue in one process: a job for each webhook, whose worker takes one at a time, so that the order stays, and as
 * many a second as the warehouse allows. It verifies nothing.
 */
const connection = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT) };
const max = Number(process.env.WAREHOUSE_CALLS_PER_SECOND);

const queue = new Queue('events', { connection });
const worker = new Worker<{ readonly orderId: string; readonly milestone: string }>(
  'events',
  async ({ data }) => await announce({ ...data, order: await getOrder(data.orderId) }),
  { connection, concurrency: 1, limiter: { max, duration: 1000 } },
);
worker.on('error', () => undefined);
await worker.waitUntilReady();

const app = fastify();
app.post<{ Body: { readonly eventType: string; readonly data: string } }>('/webhooks/warehouse', async ({ body }) => {
  const { OrderId: orderId } = JSON.parse(body.data) as { readonly OrderId: string };
  const data = { orderId, milestone: milestoneOf(body.eventType) };
  await queue.add('event', data, { attempts: 20, backoff: { type: 'exponential', delay: 1000 } });
  return { status: 'accepted' };
});
app.get('/health/ready', async () => ({ status: 'ready' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.WEBHOOK_PORT) });
await once(process, 'SIGTERM');
await app.close();
await worker.close();
await queue.close();
