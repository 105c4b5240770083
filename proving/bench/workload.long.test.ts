import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findEntry } from '../../src/domain/catalogue/catalogue.ts';
import { parseDelivery } from '../../src/ingress/message/delivery.ts';
import { createWorkload, steps, TENANT } from './workload.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const workload = createWorkload({ privateKey });

const read = (raw: Buffer) => parseDelivery({ raw, receivedAt: Date.now(), defaultTenant: 'none' });

describe('a workload', () => {
  it('has as many orders as are asked for, each with its steps in order', async () => {
    const orders = await workload.orders(6);
    expect(orders).toHaveLength(6);
    for (const order of orders) expect(order.map(({ step }) => step)).toEqual(steps.map((_, index) => index));
    for (const order of orders) expect(new Set(order.map(({ orderId }) => orderId)).size).toBe(1);
  });

  it('has bodies of about 2 KB', async () => {
    const sizes = (await workload.orders(2)).flat().map(({ body }) => body.length);
    expect(Math.min(...sizes)).toBeGreaterThan(1500);
    expect(Math.max(...sizes)).toBeLessThan(2500);
  });

  it('is signed so that the public key verifies each body, and no other', async () => {
    const [first, second] = (await workload.orders(1)).flat();
    for (const { body, signature } of (await workload.orders(2)).flat())
      expect(verify('sha256', body, keys.publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    const mixedUp = Buffer.from(first?.signature ?? '', 'base64');
    expect(verify('sha256', second?.body ?? Buffer.of(), keys.publicKey, mixedUp)).toBe(false);
  });

  it('never repeats the id of an order or of an event', async () => {
    const orders = [...(await workload.orders(5)), ...(await workload.orders(5))];
    expect(new Set(orders.map(([first]) => first?.orderId)).size).toBe(10);
    expect(new Set(orders.flat().map(({ body }) => read(body).id)).size).toBe(10 * steps.length);
  });

  it('is parsed as the events of its steps, each with its milestone', async () => {
    for (const { body, orderId, step } of (await workload.orders(1)).flat()) {
      const { name, milestone } = steps[step] ?? expect.fail();
      const event = {
        tenant: TENANT,
        name,
        subject: 'order',
        subjectId: orderId,
        userId: expect.stringMatching(/^211\d$/),
      };
      expect(read(body)).toMatchObject({ tenant: TENANT, event });
      expect(findEntry(name)).toMatchObject({ milestone });
    }
  });

  it('has ascending event times', async () => {
    const [order = []] = await workload.orders(1);
    const times = order.map(
      ({ body }) => (JSON.parse(body.toString()) as { eventDatetimeUtc: string }).eventDatetimeUtc,
    );
    expect(times).toEqual(times.toSorted());
    expect(new Set(times).size).toBe(steps.length);
  });
});
