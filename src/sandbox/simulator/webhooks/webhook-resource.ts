import type { ItemSection, Section, Sections } from '../resources/sections.ts';

interface Selection {
  readonly detail?: Section;
  readonly itemDetail?: ItemSection;
}

const orderResources = {
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
} as const satisfies Record<string, Selection>;

const receiptResources = {
  Default: {},
  'Receipt custom fields': { detail: 'savedElements' },
  'Billing details': { detail: 'billingDetails' },
  'Receive items': { detail: 'receiveItems' },
} as const satisfies Record<string, Selection>;

/** Default is not listed for them; it enables the others, as it does elsewhere. */
const orderItemResources = {
  Default: {},
  'Item custom fields': { itemDetail: 'savedElements' },
  Allocations: { itemDetail: 'allocations' },
  'Allocations with detail': { itemDetail: 'allocationsWithDetail' },
} as const satisfies Record<string, Selection>;

/** A resource that a webhook record can include (specification 6.2). */
export type WebhookResourceName =
  | keyof typeof orderResources
  | keyof typeof receiptResources
  | keyof typeof orderItemResources;

/** Every resource that a webhook record of some event type can include. */
export const webhookResourceNames = Object.keys({
  ...orderResources,
  ...receiptResources,
  ...orderItemResources,
}) as [WebhookResourceName, ...WebhookResourceName[]];

/** Whether a record of that event type can include the resource. */
export function canInclude(eventType: string, name: WebhookResourceName): boolean {
  return selectionOf(eventType, name) !== undefined;
}

/** The sections that the resources of a record select. */
export function selectedSections(eventType: string, names: readonly WebhookResourceName[]): Sections {
  const selections = names.map((name) => selectionOf(eventType, name));
  return {
    detail: new Set(selections.flatMap((selection) => selection?.detail ?? [])),
    itemDetail: new Set(selections.flatMap((selection) => selection?.itemDetail ?? [])),
  };
}

const byEventType: Readonly<Record<string, Readonly<Partial<Record<WebhookResourceName, Selection>>>>> = {
  Order: orderResources,
  Receipt: receiptResources,
  'Order Item': orderItemResources,
};

function selectionOf(eventType: string, name: WebhookResourceName): Selection | undefined {
  return (byEventType[eventType] ?? { Default: {} })[name];
}
