import type { Milestone } from './milestone.ts';

/** What an event is about. */
export type Subject =
  | 'order'
  | 'receipt'
  | 'adjustment'
  | 'assembly'
  | 'orderItem'
  | 'item'
  | 'inventorySummary'
  | 'inventoryHold';

/** A GET of the warehouse API, by the name the specification gives it ("Get Orders Picklist"). */
export type Operation =
  | 'getOrder'
  | 'getUser'
  | 'getOrdersPicklist'
  | 'getReceiver'
  | 'getAdjustment'
  | 'getAssembly'
  | 'getOrdersItem'
  | 'getItem'
  | 'getStockSummaries';

/** Everything known of one event of the warehouse. */
export interface CatalogueEntry {
  readonly subject: Subject;
  /** The name in the specification's section 6.2, which is unique within its subject only. */
  readonly label: string;
  /** The name on the wire (`eventType`). */
  readonly name: string;
  /** Other wire names that stand for it, normalized. */
  readonly aliases: readonly string[];
  /** The operations that return its details; empty where the specification shows or has none. */
  readonly retrieves: readonly Operation[];
  /** The milestone that an event of a followed subject tells; the others have none yet. */
  readonly milestone: Milestone | null;
  /** The wire name is a guess: nobody has published or captured it. */
  readonly assumed: boolean;
}

type Row = Omit<CatalogueEntry, 'subject' | 'aliases' | 'milestone' | 'assumed'> & {
  readonly aliases?: readonly string[];
};

const seen = (subject: Subject, milestone: Milestone, row: Row): CatalogueEntry => ({
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

const assumed = (
  subject: Subject,
  name: string,
  label: string,
  aliases: string[],
  ...retrieves: Operation[]
): CatalogueEntry => ({
  subject,
  label,
  name,
  aliases,
  retrieves,
  milestone: null,
  assumed: true,
});

const telling = (milestone: Milestone, entry: CatalogueEntry): CatalogueEntry => ({ ...entry, milestone });

/** All 41 events, in the specification's order (section 6.2). Adding an event is adding a line. */
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
    aliases: ['orderdelete', 'deleted'],
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
    aliases: ['packcomplete', 'packed', 'orderpacked', 'orderpackdone'],
    retrieves: ['getOrder', 'getUser'],
  }),

  telling('created', assumed('receipt', 'ReceiptCreate', 'Create', ['receivercreate'], 'getReceiver')),
  telling('completed', assumed('receipt', 'ReceiptComplete', 'Complete', ['receivercomplete'], 'getReceiver')),
  telling('updated', assumed('receipt', 'ReceiptUpdate', 'Update', ['receiverupdate'], 'getReceiver', 'getUser')),
  telling('confirmed', assumed('receipt', 'ReceiptConfirm', 'Confirm', ['receiverconfirm'], 'getReceiver')),
  telling(
    'unconfirmed',
    assumed('receipt', 'ReceiptUnconfirm', 'Unconfirm', ['receiverunconfirm'], 'getReceiver', 'getUser'),
  ),
  telling('canceled', assumed('receipt', 'ReceiptCancel', 'Cancel', ['receivercancel'], 'getReceiver', 'getUser')),
  telling(
    'deleted',
    assumed('receipt', 'ReceiptDelete', 'Delete', ['receiptdeleted', 'receiverdelete', 'receiverdeleted']),
  ),

  telling('created', assumed('adjustment', 'AdjustmentCreate', 'Create', [], 'getAdjustment')),
  telling('confirmed', assumed('adjustment', 'AdjustmentConfirm', 'Confirm', [], 'getAdjustment')),
  telling('canceled', assumed('adjustment', 'AdjustmentCancel', 'Cancel', [], 'getAdjustment')),
  telling('updated', assumed('adjustment', 'AdjustmentUpdate', 'Update', [], 'getAdjustment')),
  telling('deleted', assumed('adjustment', 'AdjustmentDelete', 'Delete', ['adjustmentdeleted'])),

  telling('created', assumed('assembly', 'AssemblyCreate', 'Create', [], 'getAssembly')),
  telling('canceled', assumed('assembly', 'AssemblyCancel', 'Cancel', [], 'getAssembly')),
  telling('deleted', assumed('assembly', 'AssemblyDelete', 'Delete', ['assemblydeleted'])),
  telling('updated', assumed('assembly', 'AssemblyUpdate', 'Update', [], 'getAssembly')),
  telling('confirmed', assumed('assembly', 'AssemblyConfirm', 'Confirm', [], 'getAssembly')),

  assumed('orderItem', 'OrderItemPack', 'Pack', ['orderitempacked'], 'getOrdersItem'),
  assumed('orderItem', 'OrderItemUnpack', 'Unpack', ['orderitemunpacked'], 'getOrdersItem'),
  assumed('orderItem', 'OrderItemPick', 'Pick', ['orderitempicked'], 'getOrdersItem'),
  assumed('orderItem', 'OrderItemUnpick', 'Unpick', ['orderitemunpicked'], 'getOrdersItem'),

  assumed('item', 'ItemCreate', 'Create', [], 'getItem'),
  assumed('item', 'ItemUpdate', 'Update', [], 'getItem'),
  assumed('item', 'ItemDelete', 'Delete', ['itemdeleted']),

  assumed('inventorySummary', 'InventorySummaryUpdate', 'Update', ['stocksummaryupdate'], 'getStockSummaries'),

  assumed('inventoryHold', 'InventoryPlaceOnHold', 'Place on Hold', ['placeonhold', 'inventoryholdplace']),
  assumed('inventoryHold', 'InventoryReleaseFromHold', 'Release from Hold', [
    'releasefromhold',
    'inventoryholdrelease',
  ]),
];

/** A wire name reduced to what spellings share: lower case, ASCII letters and digits only. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const byName = new Map(
  catalogue.flatMap((entry) => [normalizeName(entry.name), ...entry.aliases].map((name) => [name, entry] as const)),
);

/** The entry that a wire name stands for in any spelling, or undefined for a name that nothing matches. */
export function findEntry(wireName: string): CatalogueEntry | undefined {
  return byName.get(normalizeName(wireName));
}
