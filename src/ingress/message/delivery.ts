import { createHash } from 'node:crypto';
import { isObject, type Reader } from '../../base/json.ts';
import { parseJson, UnreadableJson } from '../../base/untrusted-json.ts';
import type { Family } from '../../domain/catalogue/catalogue.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { isRow, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Entry, Quarantined } from '../../domain/quarantine.ts';
import { isRecordOf, readId, readTime } from '../../domain/wire-values.ts';
import { type Aliases, findEvent } from './event-name.ts';
import { idPlacesOf } from './family.ts';
import { findCustomer, findLinkedIds, identify } from './identity.ts';
import {
  decodeUtf8,
  ID_LIMIT,
  isPlainId,
  openMessage,
  type Parts,
  readJson,
  readParts,
  readShortText,
  VALUES_LIMIT,
} from './parts.ts';
import { findStockRows, isRowId, type MessageRow, rowId, splitRows } from './stock-rows.ts';

/** An event, several in rows of their own, or the reason of its quarantine. */
type Delivery = { readonly id: string; readonly tenant: string } & Reading;

type Reading = { readonly event: WarehouseEvent } | { readonly rows: readonly MessageRow[] } | Quarantined;

interface RawDelivery {
  readonly raw: Buffer;
  /** Stands in for the event's time if the message has none. */
  readonly receivedAt: number;
  /** For a message that names none. */
  readonly defaultTenant: string;
  readonly aliases?: Aliases;
}

/** Parses every form observed so far. Never throws. */
export function parseDelivery(delivery: RawDelivery): Delivery {
  try {
    const value = parseJson(decodeUtf8(delivery.raw), VALUES_LIMIT);
    if (!isObject(value)) throw new UnreadableJson('not a JSON object');
    return parseMessage(openMessage(value), delivery);
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    return {
      id: hashOf(delivery.raw),
      tenant: delivery.defaultTenant,
      quarantined: { code: 'unreadable', why: error.message },
    };
  }
}

const hashOf = (raw: Buffer): string => `sha256:${createHash('sha256').update(raw).digest('hex')}`;

function parseMessage(message: Reader, delivery: RawDelivery): Delivery {
  const { raw, defaultTenant } = delivery;
  const tplId = message('tplid');
  const tenant = readId(tplId) ?? (typeof tplId === 'object' ? '' : defaultTenant);
  if (!isPlainId(tenant)) return { id: hashOf(raw), tenant: defaultTenant, quarantined: { code: 'unusableTenant' } };

  // An id that is unset would make all such events duplicates.
  const eventId = readId(message('wmseventid')) ?? '';
  const ownId = `${tenant}:${eventId}`;
  const id = isPlainId(eventId) && ownId.length <= ID_LIMIT ? ownId : hashOf(raw);
  return { id, tenant, ...readEvent(message, { ...delivery, id, tenant }) };
}

function readEvent(
  message: Reader,
  { raw, receivedAt, aliases = {}, id, tenant }: RawDelivery & Pick<WarehouseEvent, 'id' | 'tenant'>,
): Reading {
  const wireName = readShortText(message('eventtype'));
  if (!wireName) return { quarantined: { code: 'noName' } };
  const parts = readParts(message);
  const entry = findEvent(wireName, parts, aliases);
  if ('quarantined' in entry) return entry;
  const time = findTime(message, receivedAt);
  const named = findCustomer(parts);
  const common = { id, tenant, name: entry.name, time, ...findLinkedIds(parts) };
  if (isRow(entry.subject) && (findStockRows(readJson(parts.resource('body')))?.length ?? 0) > 1) {
    const { customerId: customerOfRows, ...disputed } = named;
    return splitRows(raw, { ...common, subject: entry.subject, customerOfRows, ...disputed });
  }
  const identified = identify(entry, parts, named);
  if ('quarantined' in identified) return identified;
  const isCarried = carriesRecord(parts, entry.subject, identified);
  const { customerId: names, disputed } = named;
  // A row of stock says by itself whose it is.
  const isDisputed = disputed && !isRow(entry.subject);
  return {
    event: {
      ...common,
      ...identified,
      ...(names && { names }),
      ...(isDisputed && { disputed }),
      ...(isCarried && { carriesResource: true, ...numbersOf(parts), ...changeOf(parts) }),
    },
  };
}

function numbersOf({ body }: Parts): Pick<WarehouseEvent, 'reference' | 'poNumber'> {
  const reference = readShortText(body('referencenum'));
  const poNumber = readShortText(body('ponum'));
  return { ...(reference && { reference }), ...(poNumber && { poNumber }) };
}

function changeOf({ body }: Parts): Pick<WarehouseEvent, 'changedAt'> {
  const changedAt = readShortText(body('readonly', 'lastmodifieddate') ?? body('lastmodifieddate'));
  return changedAt === undefined ? {} : { changedAt };
}

/** Reports whether a message has the record itself: another body, such as an error, must not be announced in its place. */
function carriesRecord(
  { record }: Parts,
  family: Family,
  { subjectId, orderItemId }: Pick<WarehouseEvent, 'subjectId' | 'orderItemId'>,
): boolean {
  const { field, path: link } = idPlacesOf(family) ?? {};
  return (
    field !== undefined &&
    link !== undefined &&
    isRecordOf(record, { id: orderItemId ?? subjectId, idPath: `readonly.${field}`, link })
  );
}

/** A time further ahead would make every later event look late. */
const CLOCK_TOLERANCE_MS = 86_400_000;

/** The most reliable first. */
const TIMES = ['eventdatetimeutc', 'datetime', 'createdatetimeutc'];

function findTime(message: Reader, receivedAt: number): number {
  for (const name of TIMES) {
    const time = readTime(message(name));
    if (time !== undefined && time < receivedAt + CLOCK_TOLERANCE_MS) return time;
  }
  return receivedAt;
}

/** With its key if it was stored in quarantine. */
export type Received = Pick<Entry, 'endpoint' | 'body' | 'receivedAt'> & Partial<Pick<Entry, 'eventId'>>;

export function toEntry(
  { endpoint, body, receivedAt, eventId: storedId = '' }: Received,
  { tenant, aliases = {} }: { readonly tenant: string; readonly aliases?: Aliases },
): Entry {
  const raw = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delivery = parseDelivery({ raw, receivedAt, defaultTenant: tenant, aliases });
  const eventId = idWithin(tenant, delivery.id);
  const received = { eventId, endpoint, tenant, receivedAt, body };
  if (delivery.tenant !== tenant)
    return { ...received, quarantineReason: { code: 'otherTenant', tenant: delivery.tenant, owner: tenant } };
  if ('quarantined' in delivery) return { ...received, quarantineReason: delivery.quarantined };
  if ('rows' in delivery) return { ...received, rows: delivery.rows.map((row) => toRowEntry(row, received)) };
  // A row that was quarantined by itself is read again as a message of its own.
  const id = isRowId(storedId) ? rowId(storedId, delivery.event.subjectId) : eventId;
  return toEventEntry({ ...received, eventId: id }, delivery.event);
}

function toRowEntry(row: MessageRow, delivery: Entry): Entry {
  const entry = { ...delivery, eventId: rowId(delivery.eventId, row.name), body: Buffer.from(row.body) };
  return 'quarantined' in row ? { ...entry, quarantineReason: row.quarantined } : toEventEntry(entry, row.event);
}

function toEventEntry(entry: Entry, event: WarehouseEvent): Entry {
  const { subject: kind, subjectId: id } = event;
  return {
    ...entry,
    event: { ...event, id: entry.eventId },
    subjectKey: subjectKey({ tenant: entry.tenant, kind, id }),
  };
}

export function withTrace(entry: Entry, trace: string | undefined): Entry {
  if (trace === undefined) return entry;
  return {
    ...entry,
    ...(entry.event && { event: { ...entry.event, trace } }),
    ...(entry.rows && { rows: entry.rows.map((row) => withTrace(row, trace)) }),
  };
}

/** Equal deliveries to different tenants are no duplicates. */
const idWithin = (tenant: string, id: string): string => (id.startsWith(`${tenant}:`) ? id : `${tenant}:${id}`);
