import type { Reader } from '../../../base/json.ts';
import { cut } from '../../../base/text.ts';
import { customersIn } from '../../catalogue/record-customer.ts';
import { levelNames, type Snapshot, type StockLevels } from '../../lifecycle/snapshot.ts';
import { readId, readNumber, readText } from '../../wire-values.ts';
import { exact } from '../section.ts';

interface StockKey {
  readonly facilityId: string;
  readonly itemId: string;
  readonly qualifier: string;
}

/** `12.7001.` or `12.7001.RED%2FXL`. */
export function stockId({ facilityId, itemId, qualifier }: StockKey): string {
  return `${facilityId}.${itemId}.${encodeURIComponent(qualifier.toWellFormed())}`;
}

export function parseStockId(id: string): StockKey | undefined {
  const [, facilityId, itemId, qualifier = ''] = /^([^.]+)\.([^.]+)\.(.*)$/s.exec(id) ?? [];
  if (!facilityId || !itemId) return undefined;
  try {
    return { facilityId, itemId, qualifier: decodeURIComponent(qualifier) };
  } catch {
    return undefined;
  }
}

export const readLevels = (read: Reader): StockLevels =>
  exact(Object.fromEntries(levelNames.map((name) => [name, readNumber(read(name.toLowerCase()))])));

/** Truncated for lists and search; the summary itself is stored whole. */
const SKU_LIMIT = 255;

interface StockSummary {
  readonly key: StockKey;
  readonly snapshot: Snapshot;
  readonly disputed?: true;
}

export function readStockSummary(read: Reader): StockSummary | undefined {
  const facilityId = readId(read('facilityid')) ?? readId(read('facilityidentifier', 'id'));
  const itemId = readId(read('itemidentifier', 'id'));
  const sku = cut(readText(read('itemidentifier', 'sku')) ?? '', SKU_LIMIT);
  // A dot within them would make keys ambiguous.
  if (!facilityId || !itemId || `${facilityId}${itemId}`.includes('.')) return undefined;
  const [customerId, other] = customersIn(read);
  const known = exact({ facilityId, referenceNumber: sku || undefined, customerId, levels: readLevels(read) });
  return {
    key: { facilityId, itemId, qualifier: readText(read('qualifier')) ?? '' },
    ...(other === undefined ? { snapshot: known } : { snapshot: { facilityId }, disputed: true }),
  };
}
