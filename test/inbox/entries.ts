import { gzipSync } from 'node:zlib';
import type { WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import type { Entry } from '../../src/domain/entry.ts';
import type { QuarantineText } from '../../src/domain/quarantine.ts';

/** Creates an entry for an order's event, as the webhook does. */
export function entryOf(orderId: string, eventNumber: number, name = 'OrderUpdate'): Entry {
  const id = `9104:${eventNumber}`;
  const event: WarehouseEvent = { id, tenant: '9104', name, subject: 'order', subjectId: orderId, time: eventNumber };
  return {
    eventId: id,
    endpoint: 'warehouse',
    tenant: '9104',
    subjectKey: `order:9104:${orderId}`,
    event,
    receivedAt: eventNumber,
    body: Buffer.from(`{"n":${eventNumber}}`),
  };
}

/** Creates an entry for a quarantined delivery; another version may have given any reason. */
export function quarantinedEntry(eventId: string, reason = 'unknown event "X"'): Entry {
  const quarantineReason = reason as QuarantineText;
  return { eventId, endpoint: 'warehouse', tenant: '9104', quarantineReason, receivedAt: 1, body: Buffer.from('{}') };
}

/** Compresses a body, as the webhook does with large ones. */
export const gzipped = (body: Buffer) => ({ body: gzipSync(body), uncompressedBytes: body.byteLength });
