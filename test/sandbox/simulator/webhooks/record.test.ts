import { describe, expect, it } from 'vitest';
import { parseWebhookRecords, type WebhookRecord } from '../../../../sandbox/simulator/webhooks/record.ts';
import { openReceiver, openSimulator } from '../open.ts';

const record: WebhookRecord = {
  scope: 'Any Customer',
  description: 'orders',
  destination: 'https://example.com/hook',
  eventType: 'Order',
  events: ['OrderCreate'],
};

const receipt = (resources: readonly string[]) => ({ eventType: 'Receipt', events: ['Create'], resources });

describe('a webhook record', () => {
  it.each<[string, Partial<Record<keyof WebhookRecord, unknown>>]>([
    ['http elsewhere', { destination: 'http://example.com/hook' }],
    ['no address', { destination: 'hook' }],
    ['another scheme', { destination: 'ftp://localhost/' }],
    ['no events', { events: [] }],
    ['an event of another type', { eventType: 'Item', events: ['OrderCreate'] }],
    ['an unknown event type', { eventType: 'Orders' }],
    ['an unknown resource', { resources: ['Default', 'Weather'] }],
    ['a resource that a receipt lacks', receipt(['Default', 'Packages'])],
    ['an event that its type lacks', { eventType: 'Assembly', events: ['Unconfirm'] }],
    ['a resource without Default', { resources: ['Packages'] }],
  ])('may not have %s', (_, change) => {
    expect(() => parseWebhookRecords([{ ...record, ...change }])).toThrow();
  });

  it('can be set over HTTP, and an invalid one changes nothing', async () => {
    const simulator = await openSimulator();
    const { url, received } = await openReceiver();
    const put = (records: unknown) =>
      fetch(`${simulator.baseUrl}/simulator/webhooks`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(records),
      });
    expect((await put([{ ...record, destination: url }])).status).toBe(204);
    const refused = await put([{ ...record, destination: 'http://example.com' }]);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ Hint: expect.stringContaining('must begin with https://') });
    await simulator.emit(simulator.createOrder(), 'OrderCreate');
    expect(received).toHaveLength(1);
  });
});
