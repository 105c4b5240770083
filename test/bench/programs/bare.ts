import fastify from 'fastify';
import { setting, stopped } from './settings.ts';

/** Fastify that answers 200 to a webhook and does nothing with it: the ceiling of intake. */
const app = fastify();
app.post('/webhooks/warehouse', async () => ({ status: 'taken' }));
app.get('/health/ready', async () => ({ status: 'ready' }));
await app.listen({ host: '127.0.0.1', port: Number(setting('WEBHOOK_PORT')) });
await stopped();
await app.close();
