import { createHash } from 'node:crypto';
import { isObject, membersOf } from '../../base/json.ts';
import { UnreadableJson } from '../../base/json-shape.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { readStockSummary, stockId } from '../../domain/kinds/stock/summary.ts';
import { contradicts } from '../../domain/lifecycle/customers.ts';
import type { Quarantined } from '../../domain/quarantine.ts';
import { openReader, readResource } from './parts.ts';
import { ID_LIMIT, isPlainId } from './values.ts';

/** Subject of a row with its state. */
type StockIdentity = Required<Pick<WarehouseEvent, 'subjectId' | 'shown'>> & Pick<WarehouseEvent, 'disputed'>;

/** Well beyond those of any item. */
const ROWS_LIMIT = 3000;

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

/** Returns the reason if the row cannot be identified. */
export function identifyRow(row: unknown): StockIdentity | Quarantined {
  try {
    const summary = readStockSummary(openReader(row));
    if (!summary) return { quarantined: { code: 'noStock' } };
    const subjectId = stockId(summary.key);
    return isPlainId(subjectId)
      ? { subjectId, shown: summary.snapshot, ...(summary.disputed && { disputed: true }) }
      : { quarantined: { code: 'unusableId', family: 'stock' } };
  } catch (error) {
    if (error instanceof UnreadableJson) return { quarantined: { code: 'unreadable', why: error.message } };
    throw error;
  }
}

/** Row of a message, as a message of its own: an event, or the reason why it is quarantined. */
export type MessageRow = {
  /** Within the message. */
  readonly name: string;
  /** JSON text that reads as the row's event. */
  readonly body: string;
} & ({ readonly event: WarehouseEvent } | Quarantined);

type SharedEvent = Omit<WarehouseEvent, 'subjectId' | 'shown'> & { readonly customerOfRows: string | undefined };

/** Splits a delivery into its stock rows, each with every digit of its numbers, or returns the reason why all of it is quarantined. */
export function splitRows(
  raw: Uint8Array,
  shared: SharedEvent,
): { readonly rows: readonly MessageRow[] } | Quarantined {
  const rows = findStockRows(readResource(raw)) ?? [];
  if (rows.length > ROWS_LIMIT) return { quarantined: { code: 'tooMuchStock' } };
  const nameOf = createRowNames();
  const identities = rows.map(identifyExactRow);
  const ofOthers = identities.some((it) => 'shown' in it && contradicts(it.shown.customerId, shared.customerOfRows));
  // Where rows are of several customers, the one that the message names is not that of the others.
  const own = ofOthers ? { ...shared, customerOfRows: undefined, disputed: true as const } : shared;
  const read = rows.map((row, index) => readRow(row, identities[index] as StockIdentity | Quarantined, own, nameOf));
  const [first] = read;
  // One reason says as much as thousands.
  return first && 'quarantined' in first && read.every((row) => 'quarantined' in row)
    ? { quarantined: first.quarantined }
    : { rows: read };
}

/** Identifies a row from its text, because numbers with all their digits are no numbers to read. */
const identifyExactRow = (row: unknown) => identifyRow(typeof row === 'string' ? row : JSON.stringify(row));

function readRow(
  row: unknown,
  identity: StockIdentity | Quarantined,
  { customerOfRows: customerId, disputed, ...common }: SharedEvent,
  nameOf: ReturnType<typeof createRowNames>,
): MessageRow {
  const body = writeRow(row, { ...common, customerOfRows: customerId });
  if ('quarantined' in identity) return { name: nameOf(`row-${digest(body)}`), body, ...identity };
  const { subjectId } = identity;
  const shown = { ...(customerId && { customerId }), ...identity.shown };
  const isDisputed = identity.disputed ?? (shown.customerId === undefined && disputed);
  const event = { ...common, subjectId, shown, ...(isDisputed && { disputed: true as const }) };
  return { name: nameOf(subjectId), body, event };
}

/** Writes a message of bounded size with the row in it: stored rows together are about as large as their message. */
function writeRow(row: unknown, { tenant, name, time, userId, customerOfRows }: Omit<SharedEvent, 'disputed'>): string {
  return JSON.stringify({
    tplId: tenant,
    eventType: name,
    eventDatetimeUtc: new Date(time).toISOString(),
    resource: { body: row },
    links: userId && { user: `/uiproperties/users/${userId}` },
    data: customerOfRows && { CustomerId: customerOfRows },
  });
}

/** Creates names of rows within their message, in which a repeated name gets a number. */
function createRowNames(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}/${count}`;
  };
}

/** Part of a row's id that it takes of its delivery's. */
const DELIVERY_LIMIT = 70;

/** Returns the id of a row's event, which is stable across repetitions of its message: `9104:187450321/12.7001.RED`. */
export function rowId(deliveryId: string, name: string): string {
  const known = deliveryId.replace(/\/.*/s, '').slice(0, DELIVERY_LIMIT);
  const id = `${known}/${name}`;
  return id.length <= ID_LIMIT ? id : `${known}/${digest(name)}`;
}

export const isRowId = (id: string): boolean => id.includes('/');

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
