import { readdirSync, readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createConsumer } from '../../consumer/src/consumer.ts';
import { createMemoryStore } from '../../consumer/src/memory-store.ts';
import { composeVectors, type Vector } from '../../tools/vectors/vectors.ts';

const vectors: Readonly<Record<string, Vector>> = Object.fromEntries(
  readdirSync('consumer/vectors').map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(`consumer/vectors/${file}`, 'utf8')),
  ]),
);

it('are what Dockline sends, or else `npm run vectors` writes them', async () => {
  expect(vectors).toEqual(await composeVectors());
});

describe.each(Object.entries(vectors))('the test vector %s', (_, { secret, time, requests }) => {
  it('has the outcomes that the package for consumers has', async () => {
    const { receive } = createConsumer({
      secrets: [secret],
      store: createMemoryStore(),
      handle: () => undefined,
      now: () => time * 1000,
    });
    for (const { headers, body, outcome, status } of requests) {
      expect(await receive(headers, Buffer.from(body))).toMatchObject({ outcome, status });
    }
  });

  it('is authentic by the library of Standard Webhooks where it says so', () => {
    vi.useFakeTimers({ now: time * 1000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const webhook = new Webhook(secret);
    for (const { headers, body, isAuthentic } of requests) {
      const verify = () => webhook.verify(body, headers);
      if (isAuthentic) expect(verify).not.toThrow();
      else expect(verify).toThrow();
    }
  });
});
