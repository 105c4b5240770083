import { gzipSync } from 'node:zlib';
import type { WarehouseEvent } from '../../src/domain/event.ts';
import type { Entry, InboxRows } from '../../src/inbox/rows.ts';

/** An entry as the webhook makes it for an order's event. */
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

/** A delivery that is kept without being understood. */
export function parkedEntry(eventId: string, parkedReason = 'unknown event "X"'): Entry {
  return { eventId, endpoint: 'warehouse', tenant: '9104', parkedReason, receivedAt: 1, body: Buffer.from('{}') };
}

/** A body as the webhook keeps large ones. */
export const gzipped = (body: Buffer) => ({ body: gzipSync(body), uncompressedBytes: body.byteLength });

/** Marks what waits of an order as dispatched; at most as many as given. */
export async function dispatchAll(rows: InboxRows, orderId: string, limit = 1000): Promise<void> {
  await rows.claim(`order:9104:${orderId}`, async (claimed) => {
    const waiting = await claimed.waiting(limit);
    await claimed.markDispatched(waiting.map(({ id }) => id));
  });
}
