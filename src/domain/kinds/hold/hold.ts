import { assumed, type Kind } from '../kind.ts';

/** Received item put on hold or released. No GET returns it: its message is all there is. */
export const hold = {
  plural: 'holds',
  words: ['inventoryhold', 'hold'],
  id: 'readOnly.receiveItemId',
  segments: 'receiver?items?|receivers?/(?:[^/]+/)?items?|holds?',
  address: 'receive(?:r?items?|rs?/[^/?#]+/items)',
  specificity: 2,
  operations: {},
  retrieval: null,
  isShown: true,
  events: [
    assumed('placedOnHold', 'InventoryPlaceOnHold', 'Place on Hold', ['placeonhold', 'inventoryholdplace']),
    assumed('releasedFromHold', 'InventoryReleaseFromHold', 'Release from Hold', [
      'releasefromhold',
      'inventoryholdrelease',
    ]),
  ],
  announced: {
    placedOnHold: 'A received item must not be used for now.',
    releasedFromHold: 'It may be used again.',
  },
} as const satisfies Kind;
