import type { RetrievedSubject } from '../../../activities/ports.ts';
import { parseStockId, stockId } from '../../domain/catalogue/stock-key.ts';
import { readStockSummary } from '../../domain/catalogue/stock-summary.ts';
import { DocklineError } from '../../domain/errors.ts';
import { parseExactly } from '../../domain/exact-json.ts';
import { readerOf } from '../../domain/members.ts';
import { describeCall, type Target } from '../client/transport.ts';
import { rowsOf } from './resource.ts';

/** The query by which the rows of a stock summary's item in its facility are asked for; the qualifier is left to be found among them. */
export function stockQuery(id: string): string {
  const { facilityId, itemId } = parseStockId(id) ?? {};
  if (!facilityId || !itemId) throw new DocklineError('ERR_WAREHOUSE_REFUSED', `no stock summary has the id "${id}"`);
  return `?pgsiz=500&pgnum=1&rql=${encodeURIComponent(`facilityId==${facilityId};itemIdentifier.id==${itemId}`)}`;
}

/**
 * The row with that id in an answer of Get Stock Summaries. The warehouse ignores a filter that it does not understand, so rows
 * of others are passed over. Fails with `ERR_WAREHOUSE_NOT_FOUND` where there is none.
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
