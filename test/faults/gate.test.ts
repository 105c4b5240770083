import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openGate } from './gate.ts';

async function openGated() {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end('answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gate = await openGate({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  onTestFinished(async () => {
    await gate.close();
    server.close();
  });
  const ask = async (timeoutMs = 5_000) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`http://127.0.0.1:${gate.port}/`, { signal, headers: { connection: 'close' } });
    return await response.text();
  };
  return { gate, ask, requests: () => requests };
}

it('a gate that is open lets everything through', async () => {
  const { ask } = await openGated();
  expect(await ask()).toBe('answer');
});

it('a gate that is closed lets nothing reach the other side until it is opened', async () => {
  const { gate, ask, requests } = await openGated();
  gate.set('closed');
  await expect(ask()).rejects.toThrow();
  expect(requests()).toBe(0);
  gate.set('open');
  expect(await ask()).toBe('answer');
});

it('a gate that resets lets the request through and not its answer', async () => {
  const { gate, ask, requests } = await openGated();
  gate.set('resetting');
  await expect(ask()).rejects.toThrow();
  expect(requests()).toBe(1);
});

it('a gate that delays answers late', async () => {
  const { gate, ask } = await openGated();
  gate.set({ delayMs: () => 300 });
  await expect(ask(100)).rejects.toThrow();
  expect(await ask()).toBe('answer');
});
