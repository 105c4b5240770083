import type { Reader } from '../../base/json.ts';
import { cut } from '../../base/text.ts';
import { levelNames, type Snapshot } from '../lifecycle/snapshot.ts';
import { readId, readNumber, readText } from '../wire-values.ts';
import { customersIn } from './record-customer.ts';

/** Key of a stock summary. */
interface StockKey {
  readonly facilityId: string;
  readonly itemId: string;
  /** Empty if the item has none. */
  readonly qualifier: string;
}

/** Returns the subject id of a stock summary: `12.7001.` or `12.7001.RED%2FXL`. */
export function stockId({ facilityId, itemId, qualifier }: StockKey): string {
  return `${facilityId}.${itemId}.${encodeURIComponent(qualifier.toWellFormed())}`;
}

/** Parses the subject id of a stock summary; undefined for any other id. */
export function parseStockId(id: string): StockKey | undefined {
  const [, facilityId, itemId, qualifier = ''] = /^([^.]+)\.([^.]+)\.(.*)$/s.exec(id) ?? [];
  if (!facilityId || !itemId) return undefined;
  try {
    return { facilityId, itemId, qualifier: decodeURIComponent(qualifier) };
  } catch {
    return undefined;
  }
}

/** Longer SKUs are truncated: they serve lists and search, and the summary itself is stored whole. */
const SKU_LIMIT = 255;

/** Row of the warehouse's stock summaries; `disputed` if it names several customers. */
interface StockSummary {
  readonly key: StockKey;
  readonly snapshot: Snapshot;
  readonly disputed?: true;
}

/** Reads a row of the warehouse's stock summaries; undefined if it does not name its facility and item. */
export function readStockSummary(read: Reader): StockSummary | undefined {
  const facilityId = readId(read('facilityid')) ?? readId(read('facilityidentifier', 'id'));
  const itemId = readId(read('itemidentifier', 'id'));
  const sku = cut(readText(read('itemidentifier', 'sku')) ?? '', SKU_LIMIT);
  // A dot within them would make keys ambiguous.
  if (!facilityId || !itemId || `${facilityId}${itemId}`.includes('.')) return undefined;
  const [customerId, other] = customersIn(read);
  const amounts = levelNames.map((name) => [name, readNumber(read(name.toLowerCase()))] as const);
  return {
    key: { facilityId, itemId, qualifier: readText(read('qualifier')) ?? '' },
    snapshot: {
      facilityId,
      ...(sku && { referenceNumber: sku }),
      ...(customerId !== undefined && other === undefined && { customerId }),
      levels: Object.fromEntries(amounts.filter(([, amount]) => amount !== undefined)),
    },
    ...(other !== undefined && { disputed: true }),
  };
}
