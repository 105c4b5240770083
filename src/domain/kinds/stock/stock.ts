import { assumed, type Kind } from '../kind.ts';

/** One item with one qualifier in one facility: no id and no life; each message has its levels. */
export const stock = {
  plural: 'stock',
  words: ['inventorysummary', 'stocksummary', 'stock'],
  noun: 'stock summary',
  segments: '(?:stock|inventory)?summar(?:y|ies)|stocks?',
  operations: { getStockSummaries: { path: '/inventory/stocksummaries', returns: 'stock' } },
  retrieval: 'getStockSummaries',
  filters: { facility: 'facilityId', item: 'itemIdentifier.id' },
  isShown: true,
  events: [assumed('changed', 'InventorySummaryUpdate', 'Update', [], 'getStockSummaries')],
  announced: {
    changed:
      'The amount on hand, available, allocated or on hold of one item, with one qualifier, in one facility has changed.',
  },
} as const satisfies Kind;
