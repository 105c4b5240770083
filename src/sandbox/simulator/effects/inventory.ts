import { system } from '../state/directory.ts';
import type { HoldState } from '../state/hold.ts';
import type { ItemState } from '../state/item.ts';
import { moveLevels, type StockState } from '../state/stock.ts';
import type { Effect } from './occurrence.ts';

/** What each event of an item changes in it, by the catalogue's names. */
const itemEffects = {
  ItemCreate: () => ({}),
  ItemUpdate: ({ deactivated }, occurrence) => ({ deactivated: occurrence.deactivated ?? deactivated }),
  ItemDelete: () => ({ deleted: true }),
} as const satisfies Record<string, Effect<ItemState>>;

/** Nobody changes a stock summary: it follows from what others do. */
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

/** What each event of an item, of stock and of a received item changes in it, by the catalogue's names. */
export const inventoryEffects = { ...itemEffects, ...stockEffects, ...holdEffects } as const;
