import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import type { Verification } from '../../src/ingress/verification/schemes.ts';
import { type SystemTenant, startSystem } from '../support/system.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const TOKEN = 'a-token-of-some-length';

/** Verification schemes other than the warehouse's own, with the headers of their senders. */
const schemes: readonly (readonly [Verification, (body: string) => Record<string, string>])[] = [
  [{ verify: 'hmac-sha256', secret: [SECRET], header: 'x-signature', encoding: 'hex', prefix: 'sha256=' }, signHmac],
  [{ verify: 'standard-webhooks', secret: [SECRET], toleranceMs: 300_000 }, signStandard],
  [
    { verify: 'basic', user: 'Aladdin', password: ['open sesame'] },
    () => ({ authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' }),
  ],
  [{ verify: 'token', token: [TOKEN] }, () => ({ authorization: `Bearer ${TOKEN}` })],
  [{ verify: 'none' }, () => ({})],
];

function signHmac(body: string, secret = SECRET): Record<string, string> {
  return { 'x-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}

function signStandard(body: string): Record<string, string> {
  const now = new Date();
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('msg_1', now, body),
  };
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(url, { method: 'POST', body, headers });
  await answer.text();
  return answer.status;
}

const messageOf = (tenant: string, orderId: string, more: object = {}) =>
  JSON.stringify({ tplId: tenant, wmsEventId: 1, eventType: 'OrderCreate', data: { OrderId: orderId }, ...more });

describe('the webhook endpoint', () => {
  it('accepts the scheme of each tenant and no other, up to the announcement', async () => {
    const { tenants } = await startSystem({
      tenants: [{}, ...schemes.map(([webhook]) => ({ settings: { webhook } }))],
    });
    const [warehouse, ...others] = tenants as [SystemTenant, ...SystemTenant[]];
    for (const [index, { tenant, url, simulated, announced }] of others.entries()) {
      const orderId = simulated.createOrder();
      const body = messageOf(tenant, orderId);
      const answers: number[] = [];
      for (const [, sign] of schemes) answers.push(await post(url, body, sign(body)));
      const isOpen = schemes[index]?.[0].verify === 'none';
      expect(answers).toEqual(schemes.map((_, other) => (isOpen || other === index ? 200 : 401)));
      await expect.poll(() => announced(orderId)).toEqual(['1/created']);
    }
    const body = messageOf(warehouse.tenant, '1');
    for (const [, sign] of schemes) expect(await post(warehouse.url, body, sign(body))).toBe(401);
  });

  it('answers 200 to what is authentic but not understood, and quarantines it with the reason', async () => {
    const { service } = await startSystem({ env: { WEBHOOK_VERIFY: 'token', WEBHOOK_TOKEN: TOKEN } });
    const { url } = service().webhook;
    const exploded = JSON.stringify({ wmsEventId: 1, eventType: 'OrderExploded' });
    const unnamed = JSON.stringify({ wmsEventId: 2, eventType: 'ItemCreate' });
    expect(await post(url, exploded)).toBe(401);
    expect(await post(`${url}?token=${TOKEN}`, exploded)).toBe(200);
    expect(await post(`${url}?token=${TOKEN}`, unnamed)).toBe(200);
    expect(await createSummary(service().store).quarantined()).toEqual([
      { reason: 'no id of an item', count: 1 },
      { reason: expect.stringContaining('unknown event "OrderExploded": the message names no family'), count: 1 },
    ]);
  });

  it('accepts both secrets during a rotation', async () => {
    const old = 'the-secret-of-today';
    const next = 'the-secret-of-tomorrow';
    const env = { WEBHOOK_VERIFY: 'hmac-sha256', WEBHOOK_SIGNATURE_HEADER: 'X-Signature', WEBHOOK_SECRET: old };
    const { service, restart } = await startSystem({ env: { ...env, WEBHOOK_SIGNATURE_PREFIX: 'sha256=' } });
    let eventId = 0;
    const answers = async () => {
      const body = messageOf('1', '1', { eventType: 'Nothing', wmsEventId: ++eventId });
      const { url } = service().webhook;
      return [await post(url, body, signHmac(body, old)), await post(url, body, signHmac(body, next))];
    };
    expect(await answers()).toEqual([200, 401]);
    await restart({ WEBHOOK_SECRET: `${next},${old}` });
    expect(await answers()).toEqual([200, 200]);
    await restart({ WEBHOOK_SECRET: next });
    expect(await answers()).toEqual([401, 200]);
  });

  it('quarantines hostile messages, rejects unauthenticated ones, and does not hold up other orders', async () => {
    const guarded = { webhook: { verify: 'token', token: [TOKEN] } } as const;
    const system = await startSystem({ tenants: [{}, { settings: guarded }] });
    const [good, hostile] = system.tenants as readonly [SystemTenant, SystemTenant];
    const links = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`rel/${index}`, `/x/${index}`]));
    const bodies = [
      '',
      '{"half',
      '['.repeat(500_000),
      messageOf(hostile.tenant, '1', { links }),
      messageOf(hostile.tenant, '../../users/1', { wmsEventId: 2 }),
      messageOf(hostile.tenant, '7'.repeat(10_000), { wmsEventId: 3 }),
      messageOf(hostile.tenant, '1', { wmsEventId: 4 }).replace('{', '{"__proto__":{"tplId":1},'),
      messageOf(good.tenant, '1', { wmsEventId: 5 }),
    ];
    const orderId = good.simulated.createOrder();
    const lifecycle = ['OrderCreate', 'OrderFullyAllocated', 'OrderPickJobDone', 'OrderConfirm'] as const;
    const sent = (async () => {
      for (const name of lifecycle) await good.simulated.emit(orderId, name);
    })();
    const [quarantined, refused] = await Promise.all([
      Promise.all(bodies.map((body) => post(hostile.url, body, { authorization: `Bearer ${TOKEN}` }))),
      Promise.all(bodies.map((body) => post(good.url, body, { signature: 'YQ==' }))),
    ]);
    await sent;
    expect(quarantined).toEqual(bodies.map(() => 200));
    // While the look-up of a new key is throttled, nothing says whether a signature is wrong.
    expect(refused.every((status) => status === 401 || status === 503)).toBe(true);
    await expect
      .poll(() => good.announced(orderId))
      .toEqual(['1/created', '2/fullyAllocated', '3/picked', '4/confirmed']);
    expect(system.service().webhook.counts()).toEqual({ accepted: 4, duplicates: 0, quarantined: bodies.length });
  });
});
