import type { Deactivation, Step } from './step.ts';

const deactivation: Deactivation = { name: 'ItemUpdate', deactivated: true };
const reactivation: Deactivation = { name: 'ItemUpdate', deactivated: false };

/** The lives of an item. */
export const itemLives = {
  kept: ['ItemCreate', 'ItemUpdate'],
  deactivated: ['ItemCreate', 'ItemUpdate', deactivation],
  reactivated: ['ItemCreate', 'ItemUpdate', deactivation, reactivation],
  deleted: ['ItemCreate', 'ItemDelete'],
} as const satisfies Record<string, readonly Step[]>;

/** The life of stock: three to eight changes. */
export const stockLives = {
  moved: [
    'InventorySummaryUpdate',
    'InventorySummaryUpdate',
    'InventorySummaryUpdate',
    'InventorySummaryUpdate?',
    'InventorySummaryUpdate?',
    'InventorySummaryUpdate?',
    'InventorySummaryUpdate?',
    'InventorySummaryUpdate?',
  ],
} as const satisfies Record<string, readonly Step[]>;

/** The lives of a received item that is put on hold. */
export const holdLives = {
  held: ['InventoryPlaceOnHold'],
  released: ['InventoryPlaceOnHold', 'InventoryReleaseFromHold'],
  heldAgain: ['InventoryPlaceOnHold', 'InventoryReleaseFromHold', 'InventoryPlaceOnHold'],
} as const satisfies Record<string, readonly Step[]>;
