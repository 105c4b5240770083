import { createHash } from 'node:crypto';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { stockId } from '../../domain/catalogue/stock-key.ts';
import { readStockSummary } from '../../domain/catalogue/stock-summary.ts';
import { isObject, membersOf } from '../../domain/json.ts';
import type { Quarantined } from '../../domain/quarantine.ts';
import { UnreadableJson } from './json-shape.ts';
import { openReader } from './parts.ts';
import { ID_LIMIT, isPlainId } from './values.ts';

/** Subject of a row with its state. */
type StockIdentity = Required<Pick<WarehouseEvent, 'subjectId' | 'shown'>>;

/** Maximum number of rows in one message, well beyond those of any item. */
export const ROWS_LIMIT = 20_000;

/**
 * Finds the stock summaries in a resource: a list, `summaries`, `ResourceList`, or what HAL embeds under any relation. Undefined if the
 * resource is none of these, such as a summary itself.
 */
export function findStockRows(resource: unknown): readonly unknown[] | undefined {
  if (Array.isArray(resource)) return resource;
  if (!isObject(resource)) return undefined;
  const lists = ['summaries', 'resourcelist'].flatMap((name) => membersOf(resource, name));
  const embedded = membersOf(resource, '_embedded').filter(isObject).flatMap(Object.values);
  // HAL may embed other things beside the summaries.
  const isStock = (list: unknown) => Array.isArray(list) && list.some((row) => 'subjectId' in identifyRow(row));
  return [...lists, ...embedded.filter(isStock), ...embedded].find((list) => Array.isArray(list));
}

/** Identifies the subject of a row, or returns the reason why it cannot be identified. */
export function identifyRow(row: unknown): StockIdentity | Quarantined {
  try {
    const summary = readStockSummary(openReader(row));
    if (!summary) return { quarantined: 'no stock summary with its facility and item' };
    const subjectId = stockId(summary.key);
    return isPlainId(subjectId)
      ? { subjectId, shown: summary.snapshot }
      : { quarantined: "the stock summary's key is not usable" };
  } catch (error) {
    if (error instanceof UnreadableJson) return { quarantined: `unreadable: ${error.message}` };
    throw error;
  }
}

/** Creates names of rows within their message: of the stock that they are about, or a hash of those that cannot be read. */
export function createRowNames(): (row: { readonly text: string; readonly subjectId: string | undefined }) => string {
  const counts = new Map<string, number>();
  return ({ text, subjectId = `row-${digest(text)}` }) => {
    const count = (counts.get(subjectId) ?? 0) + 1;
    counts.set(subjectId, count);
    return count === 1 ? subjectId : `${subjectId}/${count}`;
  };
}

/** Part of a row's id that it takes of its delivery's. */
const DELIVERY_LIMIT = 70;

/** Returns the id of a row's event, which is stable across repetitions of its message: `9104:187450321/12.7001.RED`. */
export function rowId(deliveryId: string, name: string): string {
  const [known = ''] = deliveryId.split('/');
  const id = `${known.slice(0, DELIVERY_LIMIT)}/${name}`;
  return id.length <= ID_LIMIT ? id : `${known.slice(0, DELIVERY_LIMIT)}/${digest(name)}`;
}

/** Reports whether an id is that of a row. */
export const isRowId = (id: string): boolean => id.includes('/');

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
