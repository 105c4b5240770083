import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { subjectKey } from '../../domain/catalogue/subject.ts';
import type { Entry } from '../../domain/entry.ts';
import { parseDelivery } from './delivery.ts';
import type { Aliases } from './event-name.ts';
import { isRowId, type MessageRow, rowId } from './stock-rows.ts';

interface ReadingOptions {
  readonly tenant: string;
  readonly aliases?: Aliases;
}

/** With its key if it was stored in quarantine. */
export type Received = Pick<Entry, 'endpoint' | 'body' | 'receivedAt'> & Partial<Pick<Entry, 'eventId'>>;

export function toEntry(
  { endpoint, body, receivedAt, eventId: storedId = '' }: Received,
  { tenant, aliases = {} }: ReadingOptions,
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

const gzipAsync = promisify(gzip);

/** Smaller bodies are not worth gzipping. */
const LARGE_BYTES = 65_536;

/** Off the main thread, if that makes the body smaller. */
export async function compress(entry: Entry): Promise<Entry> {
  const uncompressedBytes = entry.body.byteLength;
  if (uncompressedBytes < LARGE_BYTES) return entry;
  const body = await gzipAsync(entry.body, { level: 1 });
  return body.byteLength < uncompressedBytes ? { ...entry, body, uncompressedBytes } : entry;
}
