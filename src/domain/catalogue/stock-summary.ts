import type { Reader } from '../json.ts';
import { levelNames, type Snapshot } from '../lifecycle/snapshot.ts';
import type { StockKey } from './stock-key.ts';

/** Longer SKUs are truncated: they serve lists and search, and the summary itself is stored whole. */
const SKU_LIMIT = 255;

/** Reads a row of the warehouse's stock summaries; undefined if it does not name its facility and item. */
export function readStockSummary(read: Reader): { readonly key: StockKey; readonly snapshot: Snapshot } | undefined {
  const facilityId = textOf(read('facilityid')) ?? textOf(read('facilityidentifier', 'id'));
  const itemId = textOf(read('itemidentifier', 'id'));
  const sku = textOf(read('itemidentifier', 'sku'))?.slice(0, SKU_LIMIT);
  // A dot within them would make keys ambiguous.
  if (!facilityId || !itemId || `${facilityId}${itemId}`.includes('.')) return undefined;
  const amounts = levelNames.map((name) => [name, read(name.toLowerCase())] as const);
  return {
    key: { facilityId, itemId, qualifier: textOf(read('qualifier')) ?? '' },
    snapshot: {
      facilityId,
      ...(sku && { referenceNumber: sku }),
      levels: Object.fromEntries(amounts.filter(([, amount]) => typeof amount === 'number')),
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value.trim()) ? String(value).trim() : undefined;
}
