import { z } from 'zod';
import { catalogue, normalizeName, type Subject } from '../../../domain/catalogue/catalogue.ts';
import { isLoopback } from '../../../domain/loopback.ts';
import type { Sections } from '../resources/sections.ts';
import { canInclude, selectedSections, webhookResourceNames } from './webhook-resource.ts';

/** The event types of a record (specification 6.2) and what each is about. */
const subjects = {
  Order: 'order',
  Receipt: 'receipt',
  Adjustment: 'adjustment',
  Assembly: 'assembly',
  'Order Item': 'orderItem',
  Item: 'item',
  'Inventory Summary': 'stock',
  'Inventory Hold': 'hold',
} as const satisfies Record<string, Subject>;

type EventType = keyof typeof subjects;

const eventTypes = Object.keys(subjects) as [EventType, ...EventType[]];

const webhookRecordSchema = z
  .strictObject({
    /** `Any Customer` or the id of one customer. */
    scope: z.union([z.literal('Any Customer'), z.number().int(), z.string().regex(/^\d+$/)], {
      error: "must be 'Any Customer' or the id of a customer",
    }),
    description: z.string().default(''),
    destination: z.url().refine(isAllowedDestination, 'must begin with https:// (or http:// on loopback)'),
    eventType: z.enum(eventTypes).default('Order'),
    /** Labels or wire names of events of that type. */
    events: z.array(z.string()).min(1).readonly(),
    /** What the message carries besides the id. */
    resources: z.array(z.enum(webhookResourceNames)).readonly().default([]),
  })
  .refine(({ eventType, events }) => events.every((name) => nameOfEvent(eventType, name)), {
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

/**
 * A webhook record as it is set (specification 2.5). The destination must begin with `https://`; being a simulator, this one
 * also takes `http://` where the host is a loopback one. Other resources than Default need Default, which enables them.
 */
export type WebhookRecord = z.input<typeof webhookRecordSchema>;

/** A webhook record as the simulator reads it. */
export interface Webhook {
  readonly customerId: number | null;
  readonly destination: string;
  readonly eventNames: ReadonlySet<string>;
  /** The sections of the resource in its messages; null for messages without it. */
  readonly sections: Sections | null;
}

/** Reads a list of records; throws a ZodError that names each broken rule. */
export function parseWebhookRecords(records: unknown): Webhook[] {
  return z.array(webhookRecordSchema).parse(records).map(toWebhook);
}

/** Whether an event of that name, of a subject of that customer, is to be delivered. */
export function concerns(webhook: Webhook, name: string, customerId: number): boolean {
  return webhook.eventNames.has(name) && (webhook.customerId ?? customerId) === customerId;
}

function toWebhook(record: z.output<typeof webhookRecordSchema>): Webhook {
  const { scope, destination, eventType, events, resources } = record;
  return {
    customerId: scope === 'Any Customer' ? null : Number(scope),
    destination,
    eventNames: new Set(events.flatMap((name) => nameOfEvent(eventType, name) ?? [])),
    sections: resources.length === 0 ? null : selectedSections(eventType, resources),
  };
}

function nameOfEvent(eventType: EventType, name: string): string | undefined {
  const wanted = normalizeName(name);
  return catalogue.find(
    (entry) =>
      entry.subject === subjects[eventType] &&
      [entry.label, entry.name].some((known) => normalizeName(known) === wanted),
  )?.name;
}

function isAllowedDestination(destination: string): boolean {
  const { protocol, hostname } = new URL(destination);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
