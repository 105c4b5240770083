import { catalogue } from '../domain/catalogue.ts';
import type { SubjectKind } from '../domain/subject.ts';
import type { WebhookRecord } from '../simulator/simulator.ts';

/** The event types of webhook records (specification 2.5), each with what its events are about. */
const eventTypes = {
  order: 'Order',
  receipt: 'Receipt',
  adjustment: 'Adjustment',
  assembly: 'Assembly',
} as const satisfies Record<SubjectKind, string>;

/** Every event of everything that is followed, of any customer; by default without the resource: what an event tells is fetched. */
export function webhookRecords(
  destination: string,
  orderResources: NonNullable<WebhookRecord['resources']> = [],
): WebhookRecord[] {
  return Object.entries(eventTypes).map(([kind, eventType]) => ({
    scope: 'Any Customer',
    description: `Dockline: ${eventType}`,
    destination,
    eventType,
    events: catalogue.filter(({ subject }) => subject === kind).map(({ name }) => name),
    resources: kind === 'order' ? orderResources : [],
  }));
}
