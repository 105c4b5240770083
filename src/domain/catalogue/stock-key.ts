/** What a stock summary is of: the key of the warehouse's rows. */
export interface StockKey {
  readonly facilityId: string;
  readonly itemId: string;
  /** Empty where the item has none. */
  readonly qualifier: string;
}

/** The id under which a stock summary is followed: `12.7001.` or `12.7001.RED%2FXL`. */
export function stockId({ facilityId, itemId, qualifier }: StockKey): string {
  return `${facilityId}.${itemId}.${encodeURIComponent(qualifier.toWellFormed())}`;
}

/** The inverse of {@link stockId}; undefined for an id that is not a stock summary's. */
export function parseStockId(id: string): StockKey | undefined {
  const [, facilityId, itemId, qualifier = ''] = /^([^.]+)\.([^.]+)\.(.*)$/s.exec(id) ?? [];
  if (!facilityId || !itemId) return undefined;
  try {
    return { facilityId, itemId, qualifier: decodeURIComponent(qualifier) };
  } catch {
    return undefined;
  }
}
