// Takes Dockline's announcements with Fastify: ANNOUNCE_SECRET=whsec_… node fastify-server.ts
import { createConsumer, createMemoryStore } from '@dockline/consumer';
import fastify from 'fastify';

const consumer = createConsumer({
  // Several, separated by spaces, while a secret is replaced.
  secrets: (process.env.ANNOUNCE_SECRET ?? '').split(' '),
  // Forgets everything at a restart: see postgres-store.ts for one that does not.
  store: createMemoryStore(),
  handle(announcement) {
    if (announcement.type === 'dockline.order.confirmed') {
      console.log(`shipped ${announcement.data.id}`);
    }
    console.log(`taken ${announcement.id}`);
  },
});

const app = fastify({ bodyLimit: 64 * 1024 * 1024 });

// The signature covers the bytes as they came, so no parser may touch them.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post<{ Body: Buffer }>('/announcements', async (request, reply) => {
  const { status } = await consumer.receive(request.headers, request.body);
  return reply.code(status).send();
});

const origin = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
console.log(`listening on ${origin}`);
