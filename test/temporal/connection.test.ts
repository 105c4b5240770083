import { createServer } from 'node:http2';
import { defineSearchAttributeKey } from '@temporalio/common';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { isOutage, openTemporal, type TemporalOptions } from '../../src/temporal/connection.ts';
import { listen } from '../support/listen.ts';
import { openProxy } from '../support/proxy.ts';

function open(options: Partial<TemporalOptions> = {}) {
  const temporal = openTemporal({ address: inject('temporalAddress'), namespace: 'default', ...options });
  onTestFinished(() => temporal.close());
  return temporal;
}

/** Starts a workflow; returns the error. */
async function failureOf({ client }: ReturnType<typeof open>, options: object = {}): Promise<unknown> {
  return await client.workflow.start('sleeper', { taskQueue: 'nobody', workflowId: 'refused', ...options }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

it('a call that waits to be tried again ends when its connection is closed', async () => {
  const server = createServer();
  const asked = Promise.withResolvers<void>();
  server.on('stream', (stream) => {
    // Unavailable.
    stream.respond({ 'content-type': 'application/grpc', 'grpc-status': '14' }, { endStream: true });
    stream.on('close', asked.resolve);
  });
  const temporal = open({ address: `127.0.0.1:${await listen(server)}` });
  const failure = failureOf(temporal);
  await asked.promise;
  await temporal.close();
  expect(await failure).toMatchObject({ cause: { details: 'the connection to Temporal is closed' } });
});

describe('isOutage', () => {
  it('is true for a server that has gone, within the deadline of a call', async () => {
    const [host = '', port] = inject('temporalAddress').split(':');
    const server = await openProxy(host, Number(port));
    const temporal = open({ address: `127.0.0.1:${server.port}`, callTimeoutMs: 1_000 });
    await expect.poll(() => temporal.client.workflow.count().then(() => 'answers', String)).toBe('answers');
    await server.cut();
    expect(isOutage(await failureOf(temporal))).toBe(true);
  });

  it('is true for an address without a server', async () => {
    expect(isOutage(await failureOf(open({ address: '127.0.0.1:1', callTimeoutMs: 500 })))).toBe(true);
  });

  it('is true for a namespace that does not exist yet', async () => {
    expect(isOutage(await failureOf(open({ namespace: 'later' })))).toBe(true);
  });

  it.each([3_000_000, 6_000_000])(
    'is false of a payload that is too large, and known at once: %d bytes',
    async (size) => {
      // Longer than a test may take, so that it is not known by the deadline.
      const failure = await failureOf(open({ callTimeoutMs: 3_600_000 }), { args: ['x'.repeat(size)] });
      expect(failure).toBeInstanceOf(Error);
      expect(isOutage(failure)).toBe(false);
    },
  );

  it('is false for an unregistered search attribute', async () => {
    const key = defineSearchAttributeKey('Unheard', 'KEYWORD');
    const failure = await failureOf(open(), { typedSearchAttributes: [{ key, value: 'x' }] });
    expect(failure).toBeInstanceOf(Error);
    expect(isOutage(failure)).toBe(false);
  });

  it('is false for a programming error', () => {
    expect(isOutage(new TypeError('x is not a function'))).toBe(false);
    expect(isOutage('x')).toBe(false);
    expect(isOutage(undefined)).toBe(false);
  });
});
