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
    ['an https destination', {}],
    ['http on loopback', { destination: 'http://127.0.0.1:3000/webhooks/warehouse' }],
    ['http on localhost', { destination: 'http://localhost:3000/' }],
    ['one customer', { scope: '418' }],
    ['a label of the specification', { events: ['Pack - started', 'Deleted'] }],
    ['an event of another type', { eventType: 'Receipt', events: ['Confirm', 'Create'] }],
    ['the resources of a receipt', receipt(['Default', 'Receipt custom fields', 'Billing details', 'Receive items'])],
    ['the resource of an adjustment', { eventType: 'Adjustment', events: ['Confirm'], resources: ['Default'] }],
    ['the resource of an assembly', { eventType: 'Assembly', events: ['Confirm'], resources: ['Default'] }],
    [
      'the resources of an order item',
      {
        eventType: 'Order Item',
        events: ['Pick', 'Unpack'],
        resources: ['Default', 'Item custom fields', 'Allocations', 'Allocations with detail'],
      },
    ],
    ['the resource of an item', { eventType: 'Item', events: ['Update'], resources: ['Default'] }],
    ['the stock summaries', { eventType: 'Inventory Summary', events: ['Update'] }],
    ['the resource of a hold', { eventType: 'Inventory Hold', events: ['Place on Hold'], resources: ['Default'] }],
    ['a resource with Default', { resources: ['Default', 'Order items > Item custom fields'] }],
  ])('may have %s', (_, change) => {
    expect(() => parseWebhookRecords([{ ...record, ...change }])).not.toThrow();
  });

  it.each<[string, Partial<Record<keyof WebhookRecord, unknown>>]>([
    ['http elsewhere', { destination: 'http://example.com/hook' }],
    ['http on a name that only begins like loopback', { destination: 'http://127.0.0.1.example.com/' }],
    ['no address', { destination: 'hook' }],
    ['another scheme', { destination: 'ftp://localhost/' }],
    ['a customer by name', { scope: 'Alder' }],
    ['no events', { events: [] }],
    ['an event of another type', { eventType: 'Item', events: ['OrderCreate'] }],
    ['an unknown event type', { eventType: 'Orders' }],
    ['an unknown resource', { resources: ['Default', 'Weather'] }],
    ['a resource that a receipt lacks', receipt(['Default', 'Packages'])],
    ['a resource that an order lacks', { resources: ['Default', 'Receive items'] }],
    [
      'a resource that an adjustment lacks',
      { eventType: 'Adjustment', events: ['Confirm'], resources: ['Default', 'Receive items'] },
    ],
    [
      'a resource that an order item lacks',
      { eventType: 'Order Item', events: ['Pick'], resources: ['Default', 'Packages'] },
    ],
    [
      "an order item's resource without Default",
      { eventType: 'Order Item', events: ['Pick'], resources: ['Allocations'] },
    ],
    ['an event that its type lacks', { eventType: 'Assembly', events: ['Unconfirm'] }],
    ["a receipt's resource without Default", receipt(['Receive items'])],
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
