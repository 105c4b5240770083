import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../../src/app/listen.ts';

it('closes an application whose port is taken, so that nothing of it goes on', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  onTestFinished(() => void holder.close());
  const { port } = holder.address() as AddressInfo;
  const seen: string[] = [];
  const app = fastify();
  app.addHook('onReady', async () => void seen.push('begun'));
  app.addHook('onClose', async () => void seen.push('ended'));
  const served = serve('ADMIN_PORT', { app, host: '127.0.0.1', port });
  await expect(served).rejects.toThrow(`port ${port} is in use; set ADMIN_PORT`);
  expect(seen).toEqual(['begun', 'ended']);
});
