import { describe, expect, it, onTestFinished } from 'vitest';
import { rsaSha256 } from '../../../src/ingress/verification/rsa-sha256.ts';
import { lookedUp, silent, startKeyServer } from '../../../test/ingress/key-server.ts';
import { endpointsWith, message, openWebhook } from '../../../test/ingress/open-webhook.ts';
import { startShippedNginx, whyNoNginx } from '../../../test/support/shipped-nginx.ts';
import { webhookProgram } from '../intake/intake.ts';
import { type Attack, attacks, slowAttacks } from './attacks.ts';
import { kinds, measureHostile } from './hostile.ts';
import { exchange } from './raw-exchange.ts';

/** The webhook endpoint behind nginx, verifying signatures, with its limits in production. */
async function setUp() {
  const server = await startKeyServer();
  const endpoints = endpointsWith(
    rsaSha256.createVerifier({ ...lookedUp, publicKey: [server.publicKey()] }, { ...server, logger: silent }),
  );
  const webhook = await openWebhook({ endpoints, bodyLimit: 4_194_304, trustedProxies: ['127.0.0.1'] });
  const behind = await webhook.app.listen({ port: 0, host: '127.0.0.1' });
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  const address = new URL(await startShippedNginx(`${behind}/webhooks/open`, opened));
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const target = { path: address.pathname, sign: (pieces: readonly Buffer[]) => server.sign(Buffer.concat(pieces)) };
  return {
    ...webhook,
    attack: ({ compose }: Attack, serial: number) =>
      exchange(address, compose(target, serial), { signal: stop.signal }),
    sendGood: async () => (await webhook.post(message, { signature: server.sign(message) })).statusCode,
  };
}

const noNginx = await whyNoNginx();

describe.skipIf(noNginx)('a webhook endpoint under attack', () => {
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

  it('sees none of the slow ones, and accepts good webhooks meanwhile', async () => {
    const { attack, sendGood, inbox, app } = await setUp();
    let requests = 0;
    app.server.on('request', () => {
      requests += 1;
    });
    const [slowHeaders] = slowAttacks.map(attack);
    expect(await sendGood()).toBe(200);
    expect(await slowHeaders).toBeUndefined();
    // `sendGood` needs no connection.
    expect(requests).toBe(0);
    expect(inbox.counts()).toEqual({ accepted: 1, duplicates: 0, quarantined: 0 });
  });
});

describe.skipIf(noNginx).concurrent('good webhooks beside attacks', () => {
  const measure = (program: URL, seconds: number) =>
    measureHostile(
      { program, seconds, rounds: 1, attacksBy: kinds.slice(0, 1) },
      { path: process.env.PATH ?? '', say: () => {} },
    );

  it('are accepted and timed', async ({ expect }) => {
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
