import type { StockState } from '../state/stock.ts';
import type { Resource } from './resource.ts';

/** A row of the stock summaries. */
export function toStockResource({ item, qualifier, levels, facility }: StockState): Resource {
  return { itemIdentifier: item, qualifier, ...levels, facilityId: facility.id };
}
