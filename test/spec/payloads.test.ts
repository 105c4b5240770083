import { describe, expect, it } from 'vitest';
import type { EventName } from '../../sandbox/simulator/kinds/kinds.ts';
import type { Simulator } from '../../sandbox/simulator/simulator.ts';
import type { WebhookRecord } from '../../sandbox/simulator/webhooks/record.ts';
import { catalogue, type Family } from '../../src/domain/catalogue/catalogue.ts';
import { parseDelivery } from '../../src/ingress/message/delivery.ts';
import { get, openReceiver, openSimulator } from '../sandbox/simulator/open.ts';
import { specifiedPayloads } from './expansions.ts';

const customerId = 418;

/** Subject of a type's events, one of the events, and the path of its GET. */
const types: Record<
  (typeof specifiedPayloads)[number][0],
  { readonly subject: Family; readonly event: EventName; readonly path: (id: string, line: string) => string }
> = {
  Order: { subject: 'order', event: 'OrderPackComplete', path: (id) => `/order/${id}` },
  Receipt: { subject: 'receipt', event: 'ReceiptConfirm', path: (id) => `/inventory/receivers/${id}` },
  Adjustment: { subject: 'adjustment', event: 'AdjustmentConfirm', path: (id) => `/inventory/adjustments/${id}` },
  Assembly: { subject: 'assembly', event: 'AssemblyConfirm', path: (id) => `/inventory/assemblies/${id}` },
  'Order item': { subject: 'orderItem', event: 'OrderItemPick', path: (id, line) => `/orders/${id}/items/${line}` },
  Item: { subject: 'item', event: 'ItemUpdate', path: (id) => `/customers/${customerId}/items/${id}` },
  'Inventory summary': { subject: 'stock', event: 'InventorySummaryUpdate', path: () => '/inventory/stocksummaries' },
  'Inventory hold': { subject: 'hold', event: 'InventoryPlaceOnHold', path: () => '' },
};

/** The record that asks for a resource. A stock summary comes unasked; a hold's has another name for the same choice. */
function recordFor(type: keyof typeof types, resource: string, destination: string): WebhookRecord {
  const resources =
    type === 'Inventory summary' ? [] : new Set(['Default', resource.replace(/^Include .*/, 'Default')]);
  return {
    scope: 'Any Customer',
    destination,
    eventType: type.replace(/ [a-z]/, (letter) => letter.toUpperCase()),
    events: catalogue.filter(({ name }) => name === types[type].event).map(({ name }) => name),
    resources: [...resources],
  } as WebhookRecord;
}

async function openSubject(simulator: Simulator, subject: Family) {
  const kind = subject === 'orderItem' ? 'order' : subject;
  const id = simulator.create(kind, { customerId });
  if (kind !== 'order') return { kind, id, line: '' };
  await simulator.emit(id, 'OrderFullyAllocated', { deliver: false });
  const [line = ''] = simulator.orderItemIds(id);
  return { kind, id, line };
}

describe('a resource in a message', () => {
  it.each(specifiedPayloads)(
    'a message about %s with the resource "%s" carries what its retrieval returns (%s), and is read',
    async (type, resource, retrieval) => {
      const simulator = await openSimulator();
      const { url, received } = await openReceiver();
      const { subject, event, path } = types[type];
      const { kind, id, line } = await openSubject(simulator, subject);
      simulator.setWebhooks([recordFor(type, resource, url)]);
      await simulator.emit(id, event);
      const [{ bytes: raw, message } = { bytes: Buffer.of(), message: {} }] = received;
      const read = parseDelivery({ raw, receivedAt: 1, defaultTenant: '9104' });
      expect(read).toMatchObject({ event: { name: event, subject: kind, subjectId: id } });

      const { body } = message.resource;
      if (retrieval === 'none') {
        expect(body.readOnly.receiveItemId).toBe(Number(id));
        return;
      }
      const at = path(id, line);
      const plain = (await get(simulator, at)).body;
      const full = retrieval.includes('=') ? (await get(simulator, `${at}?${retrieval}`)).body : plain;
      expect(body).toEqual(kind === 'stock' ? full.summaries[0] : full);
      expect(JSON.stringify(full) !== JSON.stringify(plain)).toBe(retrieval.includes('='));
    },
  );
});
