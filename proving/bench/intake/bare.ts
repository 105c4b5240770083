import { once } from 'node:events';
import fastify from 'fastify';

/** Fastify that answers 200 to every webhook: the ceiling of intake. */
const app = fastify();
app.post('/webhooks/warehouse', async () => ({ status: 'accepted' }));
app.get('/health/ready', async () => ({ status: 'ready' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.WEBHOOK_PORT) });
await once(process, 'SIGTERM');
await app.close();
