/** Key of a stock summary. */
export interface StockKey {
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
