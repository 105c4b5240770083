import type { Milestone } from '../lifecycle/milestone.ts';
import type { Operation } from './operation.ts';
import type { SubjectKind } from './subject.ts';

/** Family of events, by what they are about; those of an order item belong to its order. */
export type Family = SubjectKind | 'orderItem';

/** Normalized words for each family in names on the wire. The first is the specification's; the others are guesses. */
const wordsOf: Readonly<Record<Family, readonly string[]>> = {
  order: ['order'],
  receipt: ['receipt', 'receiver'],
  adjustment: ['adjustment'],
  assembly: ['assembly'],
  orderItem: ['orderitem'],
  item: ['item'],
  stock: ['inventorysummary', 'stocksummary', 'stock'],
  hold: ['inventoryhold', 'hold'],
};

export const families = Object.keys(wordsOf) as readonly Family[];

/** Finds a family by any of its names: `receipt`, `Receiver`, `order item`. */
export function findFamily(name: string): Family | undefined {
  const word = normalizeName(name);
  return families.find((family) => wordsOf[family].includes(word));
}

/** Everything known about one event of the warehouse. */
export interface CatalogueEntry {
  readonly subject: Family;
  /** Name in the specification's section 6.2, unique only within its subject. */
  readonly label: string;
  /** Name on the wire (`eventType`). */
  readonly name: string;
  /** Other names on the wire, normalized. Each names its family, unless no label of another family is like it. */
  readonly aliases: readonly string[];
  /** Operations that return its details; empty if the specification has none. */
  readonly retrieves: readonly Operation[];
  /** Milestone that the event reports. */
  readonly milestone: Milestone;
  /** The name on the wire is a guess: nobody has published or captured it. */
  readonly assumed: boolean;
}

type Row = Omit<CatalogueEntry, 'subject' | 'aliases' | 'milestone' | 'assumed'> & {
  readonly aliases?: readonly string[];
};

const seen = (subject: Family, milestone: Milestone, row: Row): CatalogueEntry => ({
  aliases: [],
  ...row,
  subject,
  milestone,
  assumed: false,
});

const order = (milestone: Milestone, name: string, ...retrieves: Operation[]): CatalogueEntry =>
  seen('order', milestone, { label: name, name, retrieves });

const pickJob = (milestone: Milestone, label: string, name: string): CatalogueEntry =>
  seen('order', milestone, { label, name, aliases: [normalizeName(label)], retrieves: [] });

const assumedOrder = (milestone: Milestone, row: Row): CatalogueEntry => ({
  ...seen('order', milestone, row),
  assumed: true,
});

/** Creates rows of a subject other than an order: all their names on the wire are assumed. */
const assumedOf =
  (subject: Family) =>
  (
    milestone: Milestone,
    name: string,
    label: string,
    aliases: string[],
    ...retrieves: Operation[]
  ): CatalogueEntry => ({
    ...seen(subject, milestone, { label, name, aliases: [...aliases, ...labelsOf(subject, label, name)], retrieves }),
    assumed: true,
  });

/** Returns the normalized label behind each word of its family, without the name itself. */
const labelsOf = (family: Family, label: string, name: string): readonly string[] =>
  wordsOf[family].map((word) => word + normalizeName(label)).filter((spelling) => spelling !== normalizeName(name));

const receipt = assumedOf('receipt');
const adjustment = assumedOf('adjustment');
const assembly = assumedOf('assembly');
const orderItem = assumedOf('orderItem');
const item = assumedOf('item');
const stock = assumedOf('stock');
const hold = assumedOf('hold');

/** All events, in the specification's order (section 6.2). To add an event, add a row. */
export const catalogue: readonly CatalogueEntry[] = [
  order('created', 'OrderCreate', 'getOrder'),
  order('completed', 'OrderComplete', 'getOrder'),
  order('updated', 'OrderUpdate', 'getOrder', 'getUser'),
  order('confirmed', 'OrderConfirm', 'getOrder'),
  order('unconfirmed', 'OrderUnconfirm', 'getOrder', 'getUser'),
  order('canceled', 'OrderCancel', 'getOrder', 'getUser'),
  assumedOrder('deleted', {
    label: 'Deleted',
    name: 'OrderDeleted',
    aliases: ['orderdelete'],
    retrieves: [],
  }),
  order('fullyAllocated', 'OrderFullyAllocated', 'getOrder'),
  order('excludedFromPickJob', 'OrderExcludedFromPickJob', 'getOrder', 'getOrdersPicklist', 'getUser'),
  pickJob('pickerAssigned', 'Pick job - user assigned', 'OrderPickJobUserAssigned'),
  pickJob('pickerUnassigned', 'Pick job - user unassigned', 'OrderPickJobUserUnassigned'),
  order('picked', 'OrderPickJobDone', 'getOrdersPicklist', 'getUser'),
  assumedOrder('packStarted', {
    label: 'Pack - started',
    name: 'OrderPackStarted',
    aliases: ['packstarted', 'pickjobstarted', 'orderpickjobstarted', 'orderpackjobstarted'],
    retrieves: ['getOrder', 'getUser'],
  }),
  assumedOrder('packed', {
    label: 'Pack Complete',
    name: 'OrderPackComplete',
    aliases: ['packcomplete', 'orderpacked', 'orderpackdone'],
    retrieves: ['getOrder', 'getUser'],
  }),

  receipt('created', 'ReceiptCreate', 'Create', [], 'getReceiver'),
  receipt('completed', 'ReceiptComplete', 'Complete', [], 'getReceiver'),
  receipt('updated', 'ReceiptUpdate', 'Update', [], 'getReceiver', 'getUser'),
  receipt('confirmed', 'ReceiptConfirm', 'Confirm', [], 'getReceiver'),
  receipt('unconfirmed', 'ReceiptUnconfirm', 'Unconfirm', [], 'getReceiver', 'getUser'),
  receipt('canceled', 'ReceiptCancel', 'Cancel', [], 'getReceiver', 'getUser'),
  receipt('deleted', 'ReceiptDelete', 'Delete', ['receiptdeleted', 'receiverdeleted']),

  adjustment('created', 'AdjustmentCreate', 'Create', [], 'getAdjustment'),
  adjustment('completed', 'AdjustmentConfirm', 'Confirm', [], 'getAdjustment'),
  adjustment('canceled', 'AdjustmentCancel', 'Cancel', [], 'getAdjustment'),
  adjustment('updated', 'AdjustmentUpdate', 'Update', [], 'getAdjustment'),
  adjustment('deleted', 'AdjustmentDelete', 'Delete', ['adjustmentdeleted']),

  assembly('created', 'AssemblyCreate', 'Create', [], 'getAssembly'),
  assembly('canceled', 'AssemblyCancel', 'Cancel', [], 'getAssembly'),
  assembly('deleted', 'AssemblyDelete', 'Delete', ['assemblydeleted']),
  assembly('updated', 'AssemblyUpdate', 'Update', [], 'getAssembly'),
  assembly('completed', 'AssemblyConfirm', 'Confirm', [], 'getAssembly'),

  orderItem('itemPacked', 'OrderItemPack', 'Pack', ['orderitempacked'], 'getOrdersItem'),
  orderItem('itemUnpacked', 'OrderItemUnpack', 'Unpack', ['orderitemunpacked'], 'getOrdersItem'),
  orderItem('itemPicked', 'OrderItemPick', 'Pick', ['orderitempicked'], 'getOrdersItem'),
  orderItem('itemUnpicked', 'OrderItemUnpick', 'Unpick', ['orderitemunpicked'], 'getOrdersItem'),

  item('created', 'ItemCreate', 'Create', [], 'getItem'),
  item('updated', 'ItemUpdate', 'Update', [], 'getItem'),
  item('deleted', 'ItemDelete', 'Delete', ['itemdeleted']),

  stock('changed', 'InventorySummaryUpdate', 'Update', [], 'getStockSummaries'),

  hold('placedOnHold', 'InventoryPlaceOnHold', 'Place on Hold', ['placeonhold', 'inventoryholdplace']),
  hold('releasedFromHold', 'InventoryReleaseFromHold', 'Release from Hold', [
    'releasefromhold',
    'inventoryholdrelease',
  ]),
];

/** Normalizes a name on the wire to what its spellings share: lower-case ASCII letters and digits. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const byName = new Map(
  catalogue.flatMap((entry) => [normalizeName(entry.name), ...entry.aliases].map((name) => [name, entry] as const)),
);

/** Finds the entry of a name on the wire, in any spelling; within a family, also by its label alone. */
export function findEntry(wireName: string, family?: Family): CatalogueEntry | undefined {
  const name = normalizeName(wireName);
  return byName.get(name) ?? (family && wordsOf[family].map((word) => byName.get(word + name)).find(Boolean));
}
