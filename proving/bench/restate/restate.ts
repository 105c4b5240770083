import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { type ObjectContext, object } from '@restatedev/restate-sdk';
import { createEndpointHandler } from '@restatedev/restate-sdk/node';
import fastify from 'fastify';
import { announce, getOrder, milestoneOf, postJson } from '../comparison/textbook-calls.ts';

/**
 * Integration with Restate in one process: an object for each order, to which the webhook sends each message, and whose handler runs a
 * durable GET and a durable POST for it. It verifies nothing.
 */
const order = object({
  name: 'order',
  handlers: {
    async event(context: ObjectContext, milestone: string): Promise<void> {
      const orderId = context.key;
      const found = await context.run('get', () => getOrder(orderId));
      await context.run('announce', () => announce({ orderId, milestone, order: found }));
    },
  },
});

const handlers = createServer(createEndpointHandler({ services: [order] }));
handlers.listen(0, '127.0.0.1');
await once(handlers, 'listening');

const { port } = handlers.address() as AddressInfo;
await postJson(`${process.env.RESTATE_ADMIN_URL}/deployments`, { uri: `http://127.0.0.1:${port}` });

const app = fastify();
app.post<{ Body: { readonly eventType: string; readonly data: string } }>('/webhooks/warehouse', async ({ body }) => {
  const { OrderId } = JSON.parse(body.data) as { readonly OrderId: string };
  await postJson(`${process.env.RESTATE_INGRESS_URL}/order/${OrderId}/event/send`, milestoneOf(body.eventType));
  return { status: 'accepted' };
});
app.get('/health/ready', async () => ({ status: 'ready' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.WEBHOOK_PORT) });
await once(process, 'SIGTERM');
await app.close();
process.exit();
