import { readerOf } from '../../base/json.ts';
import type { Properties } from '../../domain/catalogue/properties.ts';
import { listOf, rowsOf } from '../../domain/catalogue/rows.ts';
import { DocklineError } from '../../domain/errors.ts';
import { parseStockId, readStockSummary, stockId } from '../../domain/kinds/stock/summary.ts';
import { readNumber } from '../../domain/wire-values.ts';
import { describeCall, type Target } from '../client/transport.ts';
import type { RetrievedSubject } from '../gets.ts';
import { refuseErrors, UnprovenAnswer } from './proof.ts';

/** The warehouse's limit. */
const PAGE_SIZE = 500;

/** All rows of an item in its facility: qualifiers cannot be filtered. */
export function stockParameters(id: string, properties: Properties): string[] {
  const { facilityId, itemId } = parseStockId(id) ?? {};
  if (!facilityId || !itemId) throw new DocklineError('ERR_WAREHOUSE_REFUSED', `no stock summary has the id "${id}"`);
  const filter = `${properties['stock.facility']}==${facilityId};${properties['stock.item']}==${itemId}`;
  return [`pgsiz=${PAGE_SIZE}`, 'pgnum=1', `rql=${encodeURIComponent(filter)}`];
}

/** Null if the answer shows that there is none. The body keeps every digit. */
type StockRow = Pick<RetrievedSubject, 'snapshot' | 'body' | 'disputed'> | null;

/**
 * The warehouse ignores a filter that it does not understand, so other rows are skipped; absence proves nothing while
 * there are more pages. Throws `UnprovenAnswer`.
 */
export function findStockRow(page: unknown, id: string): StockRow {
  const read = readerOf(page);
  const rows = listOf(read('summaries')) ?? rowsOf(page);
  const total = readNumber(read('totalresults'));
  if (!rows && total !== 0) throw new UnprovenAnswer('without stock summaries');
  const found = rows ?? [];
  if (found.length === 0) refuseErrors(page);
  for (const row of found) {
    const summary = readStockSummary(readerOf(row));
    if (!summary || stockId(summary.key) !== id) continue;
    refuseErrors(row);
    const { snapshot, disputed } = summary;
    return { snapshot, body: JSON.stringify(row), ...(disputed && { disputed }) };
  }
  const isWhole = total === undefined ? found.length < PAGE_SIZE : found.length >= total;
  if (!isWhole) throw new UnprovenAnswer(`without a row of ${id} on the first of several pages`);
  return null;
}

export const stockNotFound = (id: string, target: Target): DocklineError =>
  new DocklineError('ERR_WAREHOUSE_NOT_FOUND', `${describeCall(target)} answered without a row of ${id}`);
