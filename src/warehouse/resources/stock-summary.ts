import type { RetrievedSubject } from '../../../activities/ports/retrieval.ts';
import type { Properties } from '../../domain/catalogue/properties.ts';
import { parseStockId, readStockSummary, stockId } from '../../domain/catalogue/stock.ts';
import { DocklineError } from '../../domain/errors.ts';
import { parseExactly, readerOf } from '../../domain/json.ts';
import { describeCall, type Target } from '../client/transport.ts';
import { rowsOf } from './resource.ts';

/** Returns the parameters for all rows of a stock summary's item in its facility. Qualifiers cannot be filtered. */
export function stockParameters(id: string, properties: Properties): string[] {
  const { facilityId, itemId } = parseStockId(id) ?? {};
  if (!facilityId || !itemId) throw new DocklineError('ERR_WAREHOUSE_REFUSED', `no stock summary has the id "${id}"`);
  const filter = `${properties['stock.facility']}==${facilityId};${properties['stock.item']}==${itemId}`;
  return ['pgsiz=500', 'pgnum=1', `rql=${encodeURIComponent(filter)}`];
}

/**
 * Finds the row with that id in an answer of Get Stock Summaries. The warehouse ignores a filter that it does not understand, so
 * other rows are skipped. Throws `ERR_WAREHOUSE_NOT_FOUND`.
 */
export function stockSummaryIn(text: string, id: string, target: Target): RetrievedSubject {
  const page = parseExactly(text);
  const rows = readerOf(page)('summaries') ?? rowsOf(page);
  for (const row of Array.isArray(rows) ? rows : []) {
    const summary = readStockSummary(readerOf(row));
    if (summary && stockId(summary.key) === id) return { snapshot: summary.snapshot, body: JSON.stringify(row) };
  }
  throw new DocklineError('ERR_WAREHOUSE_NOT_FOUND', `${describeCall(target)} answered without a row of ${id}`);
}
