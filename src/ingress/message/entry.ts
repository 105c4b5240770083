import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { subjectKey, UNNAMED_TENANT } from '../../domain/catalogue/subject.ts';
import type { Entry } from '../../domain/entry.ts';
import { parseDelivery } from './delivery.ts';
import type { Aliases } from './event-name.ts';
import { isRowId, type MessageRow, rowId } from './stock-rows.ts';

/** Settings of the endpoint that a delivery came to. */
interface ReadingOptions {
  /** Tenant of the endpoint; undefined if it accepts deliveries of any tenant. */
  readonly tenant?: string | undefined;
  readonly aliases?: Aliases;
}

/** Delivery as received, with the key under which it is stored if it was quarantined. */
export type Received = Pick<Entry, 'endpoint' | 'body' | 'receivedAt'> & Partial<Pick<Entry, 'eventId'>>;

/** Converts a delivery into its inbox entry: an event with the key of its subject, or the reason for its quarantine. */
export function toEntry(
  { endpoint, body, receivedAt, eventId: storedId = '' }: Received,
  { tenant: owner, aliases = {} }: ReadingOptions,
): Entry {
  const raw = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delivery = parseDelivery({ raw, receivedAt, defaultTenant: owner ?? UNNAMED_TENANT, aliases });
  const tenant = owner ?? delivery.tenant;
  const eventId = owner ? idWithin(owner, delivery.id) : delivery.id;
  const received = { eventId, endpoint, tenant, receivedAt, body };
  if (delivery.tenant !== tenant)
    return { ...received, quarantineReason: `names tenant ${delivery.tenant} at the endpoint of ${tenant}` };
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

/** Adds the trace of a delivery to its event, or to those of its rows. */
export function withTrace(entry: Entry, trace: string | undefined): Entry {
  if (trace === undefined) return entry;
  return {
    ...entry,
    ...(entry.event && { event: { ...entry.event, trace } }),
    ...(entry.rows && { rows: entry.rows.map((row) => withTrace(row, trace)) }),
  };
}

/** Deliveries to different tenants are never duplicates of each other, even if their bytes are equal. */
const idWithin = (tenant: string, id: string): string => (id.startsWith(`${tenant}:`) ? id : `${tenant}:${id}`);
