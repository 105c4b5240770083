import { createHash } from 'node:crypto';
import { isObject, membersOf } from '../../base/json.ts';
import { UnreadableJson } from '../../base/untrusted-json.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { readStockSummary, stockId } from '../../domain/kinds/stock/summary.ts';
import { contradicts } from '../../domain/lifecycle/customers.ts';
import type { Quarantined } from '../../domain/quarantine.ts';
import { ID_LIMIT, isPlainId, openReader, readResource } from './parts.ts';

type StockIdentity = Required<Pick<WarehouseEvent, 'subjectId' | 'shown'>> & Pick<WarehouseEvent, 'disputed'>;

/** Well beyond those of any item. */
const ROWS_LIMIT = 3000;

/** A list, `summaries`, `ResourceList`, or what HAL embeds under any relation. Undefined for anything else, such as a summary itself. */
export function findStockRows(resource: unknown): readonly unknown[] | undefined {
  if (Array.isArray(resource)) return resource;
  if (!isObject(resource)) return undefined;
  const lists = ['summaries', 'resourcelist'].flatMap((name) => membersOf(resource, name));
  const embedded = membersOf(resource, '_embedded').filter(isObject).flatMap(Object.values);
  // HAL may embed other things beside the summaries.
  const isStock = (list: unknown) => Array.isArray(list) && list.some((row) => 'subjectId' in identifyRow(row));
  return [...lists, ...embedded.filter(isStock), ...embedded].find((list) => Array.isArray(list));
}

/** Or the reason of its quarantine. */
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

/** Row as a message of its own: an event, or the reason of its quarantine. */
export type MessageRow = {
  /** Unique within its message. */
  readonly name: string;
  /** JSON text that reads as the row's event. */
  readonly body: string;
} & ({ readonly event: WarehouseEvent } | Quarantined);

type SharedEvent = Omit<WarehouseEvent, 'subjectId' | 'shown'> & { readonly customerOfRows: string | undefined };

/** Keeps every digit, or returns the reason why all of the delivery is quarantined. */
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

/** From its text, because numbers with all their digits are no numbers to read. */
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

/** Bounded, so that stored rows together are about as large as their message. */
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

/** A repeated name gets a number. */
function createRowNames(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}/${count}`;
  };
}

const DELIVERY_LIMIT = 70;

/** Stable across repetitions of the message: `9104:187450321/12.7001.RED`. */
export function rowId(deliveryId: string, name: string): string {
  const known = deliveryId.replace(/\/.*/s, '').slice(0, DELIVERY_LIMIT);
  const id = `${known}/${name}`;
  return id.length <= ID_LIMIT ? id : `${known}/${digest(name)}`;
}

export const isRowId = (id: string): boolean => id.includes('/');

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
