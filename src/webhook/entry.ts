import { subjectKey } from '../domain/subject.ts';
import type { Entry } from '../inbox/rows.ts';
import { parseDelivery } from './delivery.ts';

/** How deliveries are read. */
export interface ReadingOptions {
  /** The warehouse operator where a message names none. */
  readonly defaultTenant: string;
  /** The catalogue's name of an event by another, normalized wire name. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Reads a delivery into what the inbox keeps of it: an event with the key of its subject, or the reason why it is parked. */
export function toEntry(
  { endpoint, body, receivedAt }: Pick<Entry, 'endpoint' | 'body' | 'receivedAt'>,
  options: ReadingOptions,
): Entry {
  const delivery = parseDelivery({ ...options, raw: Buffer.from(body), receivedAt });
  const received = { eventId: delivery.id, endpoint, tenant: delivery.tenant, receivedAt, body };
  if ('parked' in delivery) return { ...received, parkedReason: delivery.parked };
  const { event } = delivery;
  const { tenant, subject: kind, subjectId: id } = event;
  return { ...received, event, subjectKey: subjectKey({ tenant, kind, id }) };
}
