import { createHash } from 'node:crypto';
import { findEntry, normalizeName } from '../../domain/catalogue/catalogue.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { parseEventTime } from './event-time.ts';
import { type Fields, isPlainId, readText } from './fields.ts';
import { identify } from './identity.ts';
import { decodeUtf8, parseJson } from './json.ts';
import { findLinkedIds } from './links.ts';
import { readParts, unwrap } from './parts.ts';
import { UnreadableJson } from './unreadable-json.ts';

/** What one delivery told: an event, or why nothing is done with it. */
export type Delivery = { readonly id: string; readonly tenant: string } & (
  | { readonly event: WarehouseEvent }
  | { readonly quarantined: string }
);

/** What {@link parseDelivery} reads. */
export interface RawDelivery {
  readonly raw: Buffer;
  /** Milliseconds since the epoch; stands in for the event's time where the message has none. */
  readonly receivedAt: number;
  /** The warehouse tenant where the message names none. */
  readonly defaultTenant: string;
  /** The catalogue's name of an event by another, normalized wire name. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** Longer ids become hashes: what is compared and stored with an event's id counts on fewer than 100 characters. */
const ID_LIMIT = 99;

/** Reads a delivery in every form that has been seen; never throws, whatever the bytes. */
export function parseDelivery(delivery: RawDelivery): Delivery {
  try {
    return parseMessage(readMessage(delivery.raw), delivery);
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    return { id: hashOf(delivery.raw), tenant: delivery.defaultTenant, quarantined: `unreadable: ${error.message}` };
  }
}

const hashOf = (raw: Buffer): string => `sha256:${createHash('sha256').update(raw).digest('hex')}`;

function readMessage(raw: Buffer): Fields {
  const value = parseJson(decodeUtf8(raw));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableJson('not a JSON object');
  return unwrap(value);
}

function parseMessage(message: Fields, delivery: RawDelivery): Delivery {
  const { raw, defaultTenant, aliases = {}, receivedAt } = delivery;
  const tplId = message.get('tplid') || defaultTenant;
  const tenant = readText(tplId) ?? '';
  if (!isPlainId(tenant)) return { id: hashOf(raw), tenant: defaultTenant, quarantined: 'the tplId is not usable' };

  // A zero is a number that was never set; taken as an id it would make all such events one.
  const eventId = readText(message.get('wmseventid') || undefined) ?? '';
  const ownId = `${tenant}:${eventId}`;
  const id = isPlainId(eventId) && ownId.length <= ID_LIMIT ? ownId : hashOf(raw);
  return { id, tenant, ...readEvent(message, { id, tenant, receivedAt, aliases }) };
}

function readEvent(
  fields: Fields,
  known: Required<Pick<RawDelivery, 'receivedAt' | 'aliases'>> & { readonly id: string; readonly tenant: string },
): { readonly event: WarehouseEvent } | { readonly quarantined: string } {
  const wireName = readText(fields.get('eventtype'));
  if (!wireName) return { quarantined: 'no event type' };
  const entry = findEntry(ownAlias(known.aliases, wireName) ?? wireName);
  if (!entry) return { quarantined: `unknown event ${JSON.stringify(wireName.slice(0, 60))}` };
  const message = readParts(fields);
  const identified = identify(entry, message);
  if ('quarantined' in identified) return identified;
  const { id, tenant, receivedAt } = known;
  const time = findTime(fields, receivedAt) ?? receivedAt;
  return { event: { id, tenant, name: entry.name, time, ...identified, ...findLinkedIds(message) } };
}

function ownAlias(aliases: Readonly<Record<string, string>>, wireName: string): string | undefined {
  const name = normalizeName(wireName);
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

/** A clock may run ahead; a time beyond that would make everything after it look late. */
const CLOCK_TOLERANCE_MS = 86_400_000;

/** Where a message has it, the best first. */
const TIMES = ['eventdatetimeutc', 'datetime', 'createdatetimeutc'];

function findTime(message: Fields, receivedAt: number): number | undefined {
  for (const name of TIMES) {
    const time = parseEventTime(readText(message.get(name)) ?? '');
    if (time !== undefined && time < receivedAt + CLOCK_TOLERANCE_MS) return time;
  }
  return undefined;
}
