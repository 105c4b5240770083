// Takes Dockline's announcements with Express: ANNOUNCE_SECRET=whsec_… node express-server.ts
import type { AddressInfo } from 'node:net';
import { createConsumer, createMemoryStore } from '@dockline/consumer';
import express from 'express';

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

const app = express();

// The signature covers the bytes as they came, so no parser may touch them.
app.post('/announcements', express.raw({ type: () => true, limit: '64mb' }), async (request, response) => {
  const { status } = await consumer.receive(request.headers, request.body);
  response.status(status).end();
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`listening on port ${(server.address() as AddressInfo).port}`);
});
