import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../../src/http/listen.ts';
import { createMetricsApp } from '../../src/observability/metrics/metrics.ts';
import { listen } from '../support/listen.ts';

/** Returns the message of a start on a port that is taken. */
async function refusalOf(port: number): Promise<string> {
  const app = fastify();
  const served = serve('WEBHOOK_PORT', { app, host: '127.0.0.1', port });
  return await served.then(
    () => 'none',
    ({ message }: Error) => message,
  );
}

const change = 'set WEBHOOK_PORT to another port, or to 0 for any free port';

it('closes an application whose port is taken, so that nothing of it goes on', async () => {
  const port = await listen(createServer((socket) => socket.destroy()));
  const seen: string[] = [];
  const app = fastify();
  app.addHook('onReady', async () => void seen.push('begun'));
  app.addHook('onClose', async () => void seen.push('ended'));
  const served = serve('ADMIN_PORT', { app, host: '127.0.0.1', port });
  await expect(served).rejects.toThrow(`ADMIN_PORT: port ${port} is in use by`);
  expect(seen).toEqual(['begun', 'ended']);
});

it('closes although a sender never ends its request, and a reader never reads its answer', async () => {
  const app = fastify();
  const seen: string[] = [];
  app.addHook('onRequest', async ({ method }) => void seen.push(method));
  app.get('/', () => 'x'.repeat(50_000_000));
  app.post('/', async () => 'ok');
  const { port } = new URL(await serve('WEBHOOK_PORT', { app, host: '127.0.0.1', port: 0 }, 100));
  const sender = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  sender.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{');
  const dripping = setInterval(() => sender.write(' '), 20);
  const reader = connect(Number(port), '127.0.0.1')
    .on('error', () => undefined)
    .pause();
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  onTestFinished(() => {
    clearInterval(dripping);
    sender.destroy();
    reader.destroy();
  });
  await expect.poll(() => seen.toSorted()).toEqual(['GET', 'POST']);
  await app.close();
});

it('names a running Dockline that has the port', async () => {
  const other = createMetricsApp({
    contentType: 'text/plain',
    read: async () => '',
    whyNotReady: async () => 'starting',
    logger: { error() {} },
  });
  onTestFinished(() => other.close());
  const port = Number(new URL(await other.listen({ port: 0, host: '127.0.0.1' })).port);
  expect(await refusalOf(port)).toBe(`WEBHOOK_PORT: port ${port} is in use by a running Dockline; ${change}`);
});

it.each([
  ['answers something else', () => createHttpServer((_, response) => response.end('{"status":"busy"}'))],
  ['accepts and never answers', () => createServer(() => {})],
])('tells another program that %s', async (_, createHolder) => {
  const port = await listen(createHolder());
  expect(await refusalOf(port)).toBe(`WEBHOOK_PORT: port ${port} is in use by another program; ${change}`);
});
