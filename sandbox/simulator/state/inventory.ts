import { stockId } from '../../../src/domain/kinds/stock/summary.ts';
import type { StockLevels } from '../../../src/domain/lifecycle/snapshot.ts';
import { createStream, type Stream } from '../random.ts';
import { chooseFacility, items, stockItemOf, system } from './directory.ts';
import { type Effect, type EntryOptions, newEntry } from './entry.ts';

/** Creates an active item. */
export function newItem(id: number, stream: Stream, options: EntryOptions) {
  const entry = newEntry('item', stream, options);
  const material = stream.pick(['Steel', 'Linen', 'Walnut', 'Glass']);
  const thing = stream.pick(['bottle', 'lamp', 'tray', 'stool']);
  return { ...entry, id, sku: stockItemOf(id).sku, description: `${material} ${thing}`, deactivated: false };
}

/** Item of a customer. */
export type ItemState = Readonly<ReturnType<typeof newItem>>;

/** Creates stock, by default of an item that no other stock refers to. */
export function newStock(ownItemId: number, stream: Stream, options: EntryOptions) {
  const { itemId = ownItemId, qualifier = '' } = options;
  const entry = newEntry('stock', stream, options);
  const facility = chooseFacility(stream, options.facilityId);
  const onHand = stream.between(20, 480);
  return {
    ...entry,
    /** Facility, item and qualifier: `12.7001.`. */
    id: stockId({ facilityId: String(facility.id), itemId: String(itemId), qualifier }),
    facility,
    item: stockItemOf(itemId),
    qualifier,
    levels: { totalReceived: onHand, allocated: 0, available: onHand, onHold: 0, onHand },
    /** Seed of the changes that no caller chooses. */
    seed: stream.between(0, 1_000_000),
    /** Number of changes so far. */
    moves: 0,
  };
}

/** Stock of one item with one qualifier in one facility. */
export type StockState = Readonly<ReturnType<typeof newStock>>;

/** Returns the levels after a receipt, or after a shipment, whose quantity stays allocated. */
function moveLevels({ seed, moves, levels }: StockState): Required<StockLevels> {
  const stream = createStream(seed, `move ${moves}`);
  const isShipped = stream.chance(0.5) && levels.available > 0;
  const qty = stream.between(1, isShipped ? Math.min(12, levels.available) : 12);
  const change = isShipped ? -qty : qty;
  return {
    ...levels,
    totalReceived: levels.totalReceived + (isShipped ? 0 : qty),
    allocated: levels.allocated + (isShipped ? qty : 0),
    available: levels.available + change,
    onHand: levels.onHand + change,
  };
}

/** Creates a received item that is not on hold. */
export function newHold(id: number, stream: Stream, options: EntryOptions) {
  const entry = newEntry('hold', stream, options);
  const facility = chooseFacility(stream, options.facilityId);
  const picked = stream.pick(items);
  const { itemId = picked.id, qualifier = '' } = options;
  const qty = stream.between(1, 480);
  const onHoldReason = null as string | null;
  return { ...entry, id, facility, item: stockItemOf(itemId), qualifier, qty, onHold: false, onHoldReason };
}

/** Received item that can be put on hold; its id is the receive item's. */
export type HoldState = Readonly<ReturnType<typeof newHold>>;

const itemEffects = {
  ItemCreate: () => ({}),
  ItemUpdate: (item, { deactivated = item.deactivated }) => ({ deactivated }),
  ItemDelete: () => ({ deleted: true }),
} as const satisfies Record<string, Effect<ItemState>>;

const stockEffects = {
  InventorySummaryUpdate: (stock, { levels }) => ({
    levels: levels ? { ...stock.levels, ...levels } : moveLevels(stock),
    moves: stock.moves + 1,
    lastModifiedBy: system,
  }),
} as const satisfies Record<string, Effect<StockState>>;

const holdEffects = {
  InventoryPlaceOnHold: () => ({ onHold: true, onHoldReason: 'Quality inspection' }),
  InventoryReleaseFromHold: () => ({ onHold: false, onHoldReason: null }),
} as const satisfies Record<string, Effect<HoldState>>;

/** Effects of the events of items, stock and holds. */
export const inventoryEffects = { ...itemEffects, ...stockEffects, ...holdEffects } as const;
