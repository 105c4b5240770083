import { z } from 'zod';
import { isLoopback } from '../../../src/base/loopback.ts';
import type { Sections } from '../resources/sections.ts';
import { canInclude, eventsOf, eventTypeNames, findEvent, selectedSections, webhookResources } from './event-types.ts';

const webhookRecordSchema = z
  .strictObject({
    /** `Any Customer` or the id of one customer. */
    scope: z.union([z.literal('Any Customer'), z.number().int(), z.string().regex(/^\d+$/)], {
      error: "must be 'Any Customer' or the id of a customer",
    }),
    description: z.string().default(''),
    destination: z.url().refine(isAllowedDestination, 'must begin with https:// (or http:// on loopback)'),
    eventType: z.enum(eventTypeNames).default('Order'),
    /** Labels or wire names of events of that type. */
    events: z.array(z.string()).min(1).readonly(),
    /** Parts of the resource in the message; none sends the id only. */
    resources: z.array(z.enum(webhookResources)).readonly().default([]),
  })
  .refine(({ eventType, events }) => events.every((name) => findEvent(eventType, name)), {
    path: ['events'],
    error: 'must be events of the chosen type',
  })
  .refine(({ eventType, resources }) => resources.every((name) => canInclude(eventType, name)), {
    path: ['resources'],
    error: 'must be resources of the chosen type',
  })
  .refine(({ resources }) => resources.length === 0 || resources.includes('Default'), {
    path: ['resources'],
    error: 'must include Default, which enables the others',
  });

/** Webhook record as a user sets it (specification 2.5); the simulator also accepts `http://` on a loopback host. */
export type WebhookRecord = z.input<typeof webhookRecordSchema>;

/** Parsed webhook record. */
export interface Webhook {
  readonly customerId: number | null;
  readonly destination: string;
  readonly eventNames: ReadonlySet<string>;
  /** Sections of the resource in its messages; null for messages without the resource. */
  readonly sections: Sections | null;
}

/** Parses a list of records. Throws a ZodError that names each broken rule. */
export function parseWebhookRecords(records: unknown): Webhook[] {
  return z
    .array(webhookRecordSchema)
    .parse(records)
    .map(({ scope, destination, eventType, events, resources }) => ({
      customerId: scope === 'Any Customer' ? null : Number(scope),
      destination,
      eventNames: new Set(events.flatMap((name) => findEvent(eventType, name) ?? [])),
      sections: resources.length === 0 ? null : selectedSections(eventType, resources),
    }));
}

/** Reports whether a webhook receives an event of a customer's subject. */
export function concerns(webhook: Webhook, name: string, customerId: number): boolean {
  return webhook.eventNames.has(name) && (webhook.customerId ?? customerId) === customerId;
}

/**
 * Returns the records that send every event of every customer to one destination. The resources are those of an order; the
 * other types include Default if it is among them. By default messages have no resource, since Dockline retrieves it.
 */
export function everyWebhookRecord(
  destination: string,
  resources: NonNullable<WebhookRecord['resources']> = [],
): WebhookRecord[] {
  return eventTypeNames.map((eventType) => ({
    scope: 'Any Customer',
    description: `Dockline: ${eventType}`,
    destination,
    eventType,
    events: eventsOf(eventType),
    resources: eventType === 'Order' ? resources : resources.filter((name) => name === 'Default'),
  }));
}

/** Reports whether a webhook may have this destination: an address with https, or with http on loopback. */
export function isAllowedDestination(destination: string): boolean {
  const { protocol = '', hostname = '' } = URL.parse(destination) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
