import { catalogue, type Subject } from '../../domain/catalogue/catalogue.ts';
import type { WebhookRecord } from '../simulator/simulator.ts';

/** The event types of webhook records (specification 2.5), each with what its events are about. */
const eventTypes = {
  order: 'Order',
  receipt: 'Receipt',
  adjustment: 'Adjustment',
  assembly: 'Assembly',
  orderItem: 'Order Item',
  item: 'Item',
  stock: 'Inventory Summary',
  hold: 'Inventory Hold',
} as const satisfies Record<Subject, string>;

/**
 * Every event of every type, of any customer; by default without the resource, since what an event tells is fetched. The
 * resources are those of an order, of which the other types have the first, `Default`.
 */
export function webhookRecords(
  destination: string,
  resources: NonNullable<WebhookRecord['resources']> = [],
): WebhookRecord[] {
  return Object.entries(eventTypes).map(([about, eventType]) => ({
    scope: 'Any Customer',
    description: `Dockline: ${eventType}`,
    destination,
    eventType,
    events: catalogue.filter(({ subject }) => subject === about).map(({ name }) => name),
    resources: about === 'order' ? resources : resources.filter((name) => name === 'Default'),
  }));
}
