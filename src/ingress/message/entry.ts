import { subjectKey } from '../../domain/catalogue/subject.ts';
import type { Entry } from '../../inbox/rows.ts';
import { parseDelivery } from './delivery.ts';

/** How deliveries are read. */
export interface ReadingOptions {
  /** The tenant whose endpoint they came to; undefined for an endpoint that takes any tenant's. */
  readonly tenant?: string | undefined;
  /** The catalogue's name of an event by another, normalized wire name. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** A delivery as it came. */
export type Received = Pick<Entry, 'endpoint' | 'body' | 'receivedAt'>;

/** The tenant where neither the endpoint nor the message names one. */
const NAMELESS = 'default';

/** Reads a delivery into what the inbox keeps of it: an event with the key of its subject, or the reason why it is quarantined. */
export function toEntry(
  { endpoint, body, receivedAt }: Received,
  { tenant: owner, aliases = {} }: ReadingOptions,
): Entry {
  const raw = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delivery = parseDelivery({ raw, receivedAt, defaultTenant: owner ?? NAMELESS, aliases });
  const tenant = owner ?? delivery.tenant;
  const eventId = owner ? idWithin(owner, delivery.id) : delivery.id;
  const received = { eventId, endpoint, tenant, receivedAt, body };
  if (delivery.tenant !== tenant)
    return { ...received, quarantineReason: `names tenant ${delivery.tenant} at the endpoint of ${tenant}` };
  if ('quarantined' in delivery) return { ...received, quarantineReason: delivery.quarantined };
  const { subject: kind, subjectId: id } = delivery.event;
  return { ...received, event: { ...delivery.event, id: eventId }, subjectKey: subjectKey({ tenant, kind, id }) };
}

/** What comes to one tenant's endpoint is never a repeat of what came to another's, even if the bytes are the same. */
const idWithin = (tenant: string, id: string): string => (id.startsWith(`${tenant}:`) ? id : `${tenant}:${id}`);
