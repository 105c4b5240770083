import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionLimits } from '../../../src/ingress/connections.ts';
import { rsaSha256 } from '../../../src/ingress/verification/rsa-sha256.ts';
import { lookedUp, silent, startKeyServer } from '../../ingress/key-server.ts';
import { endpointsWith, message, openWebhook } from '../../ingress/open-webhook.ts';
import { webhookProgram } from '../intake/intake.ts';
import { type Attack, attacks, slowAttacks } from './attacks.ts';
import { kinds, measureHostile } from './hostile.ts';
import { exchange } from './raw-exchange.ts';

/** The webhook endpoint on a port, verifying signatures, with its limits in production. */
async function setUp(connectionLimits: Partial<ConnectionLimits> = {}) {
  const server = await startKeyServer();
  const endpoints = endpointsWith(
    rsaSha256.createVerifier({ ...lookedUp, publicKey: [server.publicKey()] }, { ...server, logger: silent }),
  );
  const webhook = await openWebhook({ endpoints, bodyLimit: 4_194_304, connectionLimits });
  const address = new URL(await webhook.app.listen({ port: 0, host: '127.0.0.1' }));
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const target = { path: '/webhooks/open', sign: (pieces: readonly Buffer[]) => server.sign(Buffer.concat(pieces)) };
  return {
    ...webhook,
    attack: ({ compose }: Attack, serial: number) => exchange(address, compose(target, serial), stop.signal),
    sendGood: async () => (await webhook.post(message, { signature: server.sign(message) })).statusCode,
  };
}

describe('a webhook endpoint under attack', () => {
  it('answers every attack as it must, stores only what is authentic, none of it twice, and accepts good webhooks after each', async () => {
    const { attack, sendGood, inbox, lines } = await setUp();
    const stored = () => inbox.counts().accepted + inbox.counts().quarantined;
    expect(await sendGood()).toBe(200);
    const outcomes = [];
    for (const [serial, one] of attacks.entries()) {
      const before = stored();
      const answer = await attack(one, serial);
      outcomes.push({
        name: one.name,
        answer,
        stored: stored() - before,
        good: await sendGood(),
        logged: lines.splice(0),
      });
    }
    expect(outcomes).toEqual(
      attacks.map(({ name, answer }) => ({ name, answer, stored: answer === 200 ? 1 : 0, good: 200, logged: [] })),
    );
    const authentic = attacks.filter(({ answer }) => answer === 200);
    const before = inbox.counts();
    for (const one of authentic) expect(await attack(one, attacks.length), one.name).toBe(200);
    expect(inbox.counts().duplicates).toBe(before.duplicates);
    expect(stored()).toBe(before.accepted + before.quarantined + authentic.length);
  });

  it('ends slow connections, and accepts good webhooks meanwhile', async () => {
    const { attack, sendGood, inbox } = await setUp({ headersMs: 1000, requestMs: 2000, connections: 100 });
    const answers = Promise.all(slowAttacks.map(attack));
    expect(await sendGood()).toBe(200);
    expect(await answers).toEqual(slowAttacks.map(({ answer }) => answer));
    expect(inbox.counts()).toEqual({ accepted: 1, duplicates: 0, quarantined: 0 });
  });
});

describe.concurrent('good webhooks beside attacks', () => {
  const measure = (program: URL, seconds: number) =>
    measureHostile(
      { program, seconds, rounds: 1, attacksBy: kinds.slice(0, 1) },
      { path: process.env.PATH ?? '', say: () => {} },
    );

  it('are accepted and timed', { timeout: 240_000 }, async ({ expect }) => {
    const rows = await measure(webhookProgram, 1);
    expect(rows.map(({ name }) => name)).toEqual([kinds[0]?.name]);
    for (const { attacks: count, aloneP99Ms, attackedP99Ms } of rows) {
      expect(count).toBeGreaterThan(20);
      for (const { rounds } of [aloneP99Ms, attackedP99Ms]) expect(rounds).toEqual([expect.any(Number)]);
      expect(Math.min(aloneP99Ms.median, attackedP99Ms.median)).toBeGreaterThan(0);
    }
  });

  it('are not timed where an attack is answered as it must not be', async ({ expect }) => {
    const bare = new URL('../intake/bare.ts', import.meta.url);
    await expect(measure(bare, 0.2)).rejects.toThrow('no signature: 200 instead of 401');
  });
});
