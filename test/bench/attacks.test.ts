import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultConnectionLimits } from '../../src/ingress/connections.ts';
import { createRsaVerifier } from '../../src/ingress/verification/rsa-sha256.ts';
import { startKeyServer } from '../ingress/key-server.ts';
import { endpointsWith, message, openWebhook } from '../ingress/open-webhook.ts';
import { openArena } from './arena.ts';
import { type Attack, attacks, slowAttacks } from './attacks.ts';
import { type ContenderName, startContender } from './contenders.ts';
import { measureHostile } from './hostile.ts';
import { exchange } from './raw-exchange.ts';
import { createWorkload } from './workload.ts';

/** The webhook on a port, verifying the warehouse's signature, with the limits that it has in production. */
async function setUp(connectionLimits = defaultConnectionLimits) {
  const server = await startKeyServer();
  const endpoints = endpointsWith(createRsaVerifier(server));
  const webhook = await openWebhook({ endpoints, bodyLimit: 4_194_304, connectionLimits });
  const address = new URL(await webhook.app.listen({ port: 0, host: '127.0.0.1' }));
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const sign = (pieces: readonly Buffer[]) => server.sign(Buffer.concat(pieces));
  const target = { path: '/webhooks/open', sign };
  return {
    ...webhook,
    attack: ({ compose }: Attack, serial = 1) => exchange(address, compose(target, serial), stop.signal),
    sendGood: async () => (await webhook.post(message, { signature: server.sign(message) })).statusCode,
  };
}

describe('an attack', () => {
  it.each(attacks.map((attack) => [attack.name, attack] as const))(
    'with %s is answered as it has to be, and good webhooks are taken after it',
    async (_name, attack) => {
      const { attack: make, sendGood, inbox, lines } = await setUp();
      expect(await make(attack)).toBe(attack.answer);
      const { accepted, quarantined } = inbox.counts();
      expect(accepted + quarantined).toBe(attack.answer === 200 ? 1 : 0);
      expect(await sendGood()).toBe(200);
      expect(lines).toEqual([]);
    },
  );

  it.each(slowAttacks.map((attack) => [attack.name, attack] as const))(
    'with %s is ended, and good webhooks are taken meanwhile',
    async (_name, attack) => {
      const { attack: make, sendGood, inbox } = await setUp({ headersMs: 1000, requestMs: 2000, connections: 100 });
      const answer = make(attack);
      expect(await sendGood()).toBe(200);
      expect(await answer).toBe(attack.answer);
      expect(inbox.counts()).toEqual({ accepted: 1, duplicates: 0, quarantined: 0 });
    },
  );

  it('is never the same delivery twice where it is authentic', async () => {
    const { attack: make, inbox } = await setUp();
    const taken = attacks.filter(({ answer }) => answer === 200);
    for (const serial of [1, 2]) for (const attack of taken) await make(attack, serial);
    expect(inbox.counts().duplicates).toBe(0);
  });
});

/** A short measurement of a contender in a process of its own. */
async function measure(name: ContenderName) {
  await using opened = new AsyncDisposableStack();
  const arena = await openArena(opened);
  const path = process.env.PATH ?? '';
  const { webhookUrl } = await startContender(name, { arena, postgresServer: '', path }, opened);
  const { privateKey } = arena.warehouse;
  const { orders } = createWorkload({ privateKey });
  return await measureHostile({ webhookUrl, privateKey, orders, seconds: 1, rounds: 1, say: () => {} });
}

describe('good traffic beside attacks', () => {
  it('is taken and timed, and the webhook is ready afterwards', async () => {
    const { attacks: count, ...times } = await measure('sqliteWebhook');
    expect(count).toBeGreaterThan(20);
    expect(Math.min(...Object.values(times))).toBeGreaterThan(0);
  });

  it('is not timed where an attack is answered as it must not be', async () => {
    await expect(measure('bare')).rejects.toThrow('no signature: 200 instead of 401');
  });
});
