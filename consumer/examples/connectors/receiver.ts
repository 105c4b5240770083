import { DatabaseSync } from 'node:sqlite';
import { type Announcement, createConsumer } from '@dockline/consumer';
import fastify from 'fastify';
import { createFileStore } from './file-store.ts';

/** Does with an announcement what a connector is for. What it throws is answered 500, and Dockline sends the announcement again. */
export type Connector = (announcement: Announcement, database: DatabaseSync) => void | Promise<void>;

/** Serves `POST /announcements` for a connector, with the secret and the port of the environment. */
export async function serve(handle: Connector, { ANNOUNCE_SECRET = '', DATABASE, PORT } = process.env): Promise<void> {
  const store = createFileStore(new DatabaseSync(DATABASE ?? 'connector.db'));
  const consumer = createConsumer({ secrets: ANNOUNCE_SECRET.split(' '), store, handle });
  const app = fastify({ bodyLimit: 64 * 1024 * 1024 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post<{ Body: Buffer }>('/announcements', async (request, reply) => {
    const { status } = await consumer.receive(request.headers, request.body);
    return reply.code(status).send();
  });
  console.log(`listening on ${await app.listen({ port: Number(PORT ?? 3000), host: '127.0.0.1' })}`);
}
