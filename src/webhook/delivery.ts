import { createHash } from 'node:crypto';
import { type CatalogueEntry, findEntry } from '../domain/catalogue.ts';
import type { WarehouseEvent } from '../domain/event.ts';
import { parseEventTime } from './event-time.ts';
import { type Fields, isPlainId, readFields, readText } from './fields.ts';
import { decodeUtf8, parseJson, UnreadableJson } from './json.ts';
import { findLinkedIds } from './links.ts';

/** What one delivery told: an event, or why nothing is done with it. */
export type Delivery = { readonly id: string; readonly tenant: string } & (
  | { readonly event: WarehouseEvent }
  | { readonly parked: string }
);

/** What {@link parseDelivery} reads. */
export interface RawDelivery {
  readonly raw: Buffer;
  /** Milliseconds since the epoch; stands in for the event's time where the message has none. */
  readonly receivedAt: number;
  /** The warehouse operator where the message names none. */
  readonly defaultTenant: string;
}

/** Longer ids become hashes: what is compared and stored with an event's id counts on fewer than 100 characters. */
const ID_LIMIT = 99;

/** Reads a delivery in every form that has been seen; never throws, whatever the bytes. */
export function parseDelivery(delivery: RawDelivery): Delivery {
  const hash = `sha256:${createHash('sha256').update(delivery.raw).digest('hex')}`;
  try {
    return parseMessage(readMessage(delivery.raw), hash, delivery);
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    return { id: hash, tenant: delivery.defaultTenant, parked: `unreadable: ${error.message}` };
  }
}

function readMessage(raw: Buffer): Fields {
  const value = parseJson(decodeUtf8(raw));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableJson('not a JSON object');
  const message = readFields(value);
  const isWrapper = message.has('headers') && message.has('body') && !message.has('eventtype');
  return isWrapper ? readFields(message.get('body')) : message;
}

function parseMessage(message: Fields, hash: string, delivery: RawDelivery): Delivery {
  const { defaultTenant } = delivery;
  const tplId = message.get('tplid') || defaultTenant;
  const tenant = readText(tplId) ?? '';
  if (!isPlainId(tenant)) return { id: hash, tenant: defaultTenant, parked: 'the tplId is not usable' };

  // A zero is a number that was never set; taken as an id it would make all such events one.
  const eventId = readText(message.get('wmseventid') || undefined) ?? '';
  const ownId = `${tenant}:${eventId}`;
  const id = isPlainId(eventId) && ownId.length <= ID_LIMIT ? ownId : hash;
  return { id, tenant, ...readEvent(message, { id, tenant, receivedAt: delivery.receivedAt }) };
}

function readEvent(
  message: Fields,
  known: { readonly id: string; readonly tenant: string; readonly receivedAt: number },
): { readonly event: WarehouseEvent } | { readonly parked: string } {
  const wireName = readText(message.get('eventtype'));
  if (!wireName) return { parked: 'no event type' };
  const entry = findEntry(wireName);
  if (!entry) return { parked: `unknown event ${JSON.stringify(wireName.slice(0, 60))}` };
  if (entry.subject !== 'order') return { parked: `no workflow for ${wordsOf(entry)} events yet` };

  const resource = readFields(message.get('resource'));
  const body = readFields(resource.get('body'));
  const data = readFields(message.get('data'));
  const orderId = findOrderId(resource, body, data);
  if (!orderId) return { parked: 'no id of an order' };
  if (!isPlainId(orderId)) return { parked: "the order's id is not usable" };
  const { id, tenant, receivedAt } = known;
  const time = findTime(message) ?? receivedAt;
  const linked = findLinkedIds({ links: message.get('links'), data, body });
  return { event: { id, tenant, name: entry.name, subject: 'order', subjectId: orderId, time, ...linked } };
}

function findOrderId(resource: Fields, body: Fields, data: Fields): string | undefined {
  const href = readText(resource.get('href')) ?? '';
  return (
    readText(readFields(body.get('readonly')).get('orderid')) ??
    /(?:^|\/)orders?\/([^/?#]+)(?:[?#]|$)/i.exec(href)?.[1] ??
    readText(data.get('orderid'))
  );
}

function findTime(message: Fields): number | undefined {
  const names = ['eventdatetimeutc', 'datetime', 'createdatetimeutc'];
  return names.map((name) => parseEventTime(readText(message.get(name)) ?? '')).find((time) => time !== undefined);
}

const wordsOf = ({ subject }: CatalogueEntry): string =>
  subject.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
