import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { liveRoutes } from '../../../src/admin/board/live.ts';

/** Serves the stream of changes to a reader; the first look at the store, at which it returns, waits to be answered. */
async function openAtFirstLook() {
  const first = Promise.withResolvers<string>();
  let looks = 0;
  const app = fastify();
  onTestFinished(() => app.close());
  const cursor = () => {
    looks += 1;
    return looks === 1 ? first.promise : Promise.resolve('later');
  };
  liveRoutes(app, { board: { cursor }, onChange() {}, logger: pino({ level: 'silent' }) });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const leaving = new AbortController();
  const answer = fetch(`${url}/changes`, { signal: leaving.signal }).catch(() => 'ended');
  await expect.poll(() => looks).toBe(1);
  return { app, first, looks: () => looks, leave: () => leaving.abort(), answer };
}

it('a reader who leaves during the first look at the store is not followed', async () => {
  const { app, first, looks, leave, answer } = await openAtFirstLook();
  leave();
  await answer;
  await expect.poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(0);
  first.resolve('first');
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(looks()).toBe(1);
});

it('a reader who comes while the process stops does not keep it', async () => {
  const { app, first, answer } = await openAtFirstLook();
  const closed = app.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  first.resolve('first');
  expect(await answer).toBe('ended');
  await closed;
});
