import { catalogue, findFamily, normalizeName } from '../../../src/domain/catalogue/catalogue.ts';
import type { ItemSection, Section, Sections } from '../resources/sections.ts';

/** Sections that one resource of a webhook record adds to its messages. */
interface Selection {
  readonly detail?: Section;
  readonly itemDetail?: ItemSection;
}

const onlyDefault = { Default: {} };

/**
 * Event types of webhook records (specification 6.2), each with the resources that a record can include.
 * The specification does not list Default for order items; it enables the others there too.
 */
const eventTypes = {
  Order: {
    Default: {},
    'Order custom fields': { detail: 'savedElements' },
    Packages: { detail: 'packages' },
    Contacts: { detail: 'contacts' },
    'Billing details': { detail: 'billingDetails' },
    'Outbound serial numbers': { detail: 'outboundSerialNumbers' },
    'Small parcel': { detail: 'smallParcel' },
    'Parcel options': { detail: 'parcelOptions' },
    'Order items': { detail: 'orderItems' },
    'Order items > Item custom fields': { detail: 'orderItems', itemDetail: 'savedElements' },
    'Order items > Allocations': { detail: 'orderItems', itemDetail: 'allocations' },
    'Order items > Allocations with detail': { detail: 'orderItems', itemDetail: 'allocationsWithDetail' },
  },
  Receipt: {
    Default: {},
    'Receipt custom fields': { detail: 'savedElements' },
    'Billing details': { detail: 'billingDetails' },
    'Receive items': { detail: 'receiveItems' },
  },
  Adjustment: onlyDefault,
  Assembly: onlyDefault,
  'Order Item': {
    Default: {},
    'Item custom fields': { itemDetail: 'savedElements' },
    Allocations: { itemDetail: 'allocations' },
    'Allocations with detail': { itemDetail: 'allocationsWithDetail' },
  },
  Item: onlyDefault,
  'Inventory Summary': onlyDefault,
  'Inventory Hold': onlyDefault,
} as const satisfies Record<string, Readonly<Record<string, Selection>>>;

/** Event type of a webhook record. */
type EventType = keyof typeof eventTypes;

/** Resource that webhook records of some event type can include. */
type WebhookResource = { readonly [T in EventType]: keyof (typeof eventTypes)[T] }[EventType];

export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]];

/** All resources of all event types. */
export const webhookResources = [...new Set(Object.values(eventTypes).flatMap(Object.keys))] as [
  WebhookResource,
  ...WebhookResource[],
];

/** Returns the names of the events of a type. */
export function eventsOf(type: EventType): string[] {
  return catalogue.filter(({ subject }) => subject === findFamily(type)).map(({ name }) => name);
}

/** Returns the name of the event of a type that has that label or name. */
export function findEvent(type: EventType, labelOrName: string): string | undefined {
  const wanted = normalizeName(labelOrName);
  return catalogue.find(
    ({ subject, label, name }) =>
      subject === findFamily(type) && [label, name].some((known) => normalizeName(known) === wanted),
  )?.name;
}

/** Reports whether a record of that type can include the resource. */
export const canInclude = (type: EventType, name: WebhookResource): boolean => selectionOf(type, name) !== undefined;

/** Returns the sections that the resources of a record select. */
export function selectedSections(type: EventType, names: readonly WebhookResource[]): Sections {
  const selections = names.map((name) => selectionOf(type, name));
  return {
    detail: new Set(selections.flatMap((selection) => selection?.detail ?? [])),
    itemDetail: new Set(selections.flatMap((selection) => selection?.itemDetail ?? [])),
  };
}

function selectionOf(type: EventType, name: WebhookResource): Selection | undefined {
  const resources: { readonly [N in WebhookResource]?: Selection } = eventTypes[type];
  return resources[name];
}
