import { describe, expect, it } from 'vitest';
import { openReceiver, openSimulator } from './open.ts';

async function open(options: Parameters<typeof openSimulator>[0] = {}) {
  const simulator = await openSimulator({ pace: 1, ...options });
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${simulator.baseUrl}/simulator/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : undefined };
  };
  return { simulator, call };
}

describe('another process', () => {
  it('sets a webhook, creates a receipt and confirms it', async () => {
    const { call } = await open();
    const { url, received } = await openReceiver();
    const record = { scope: 'Any Customer', destination: url, eventType: 'Receipt', events: ['Confirm'] };
    expect((await call('PUT', 'webhooks', [record])).status).toBe(204);
    const created = await call('POST', 'subjects', { kind: 'receipt', customerId: 418, referenceNum: 'RC-1' });
    expect(created).toEqual({ status: 201, body: { id: expect.any(String) } });
    const { id } = created.body;
    const event = await call('POST', 'events', { id, name: 'ReceiptConfirm' });
    expect(event).toMatchObject({ status: 202, body: { subject: { kind: 'receipt', id }, name: 'ReceiptConfirm' } });
    await expect.poll(() => received).toHaveLength(1);
    await expect
      .poll(async () => (await call('GET', 'truth')).body)
      .toMatchObject([
        { kind: 'receipt', id, stage: 'confirmed', events: [{ name: 'ReceiptConfirm', fate: 'delivered' }] },
      ]);
  });

  it('chooses manners, keeps the others, and gets an error for unknown ones', async () => {
    const { call } = await open({ manners: { spelling: 'label' } });
    const { body } = await call('PUT', 'manners', { wrapped: true });
    expect(body).toMatchObject({ spelling: 'label', wrapped: true, links: 'string' });
    expect(await call('PUT', 'manners', { wraped: true })).toMatchObject({ status: 400 });
    expect(await call('GET', 'manners')).toEqual({ status: 200, body });
  });

  it.each([
    ['subjects', { kind: 'pallet' }],
    ['subjects', { kind: 'order', customerId: 1 }],
    ['subjects', { kind: 'order', color: 'red' }],
    ['events', { id: '1', name: 'OrderCreate' }],
    ['events', { id: '1', name: 'OrderExploded' }],
    ['play', { orders: -1 }],
    ['subjects', { kind: 'order', lines: 0 }],
    ['subjects', { kind: 'stock', facilityId: 1 }],
    ['subjects?tenant=1', { kind: 'order' }],
    ['subjects?tenant=first', { kind: 'order' }],
  ])('gets an error for POST %s %j', async (path, body) => {
    const { call } = await open();
    expect(await call('POST', path, body as object)).toMatchObject({ status: 400, body: { ErrorCode: 'NotParsable' } });
  });
});
