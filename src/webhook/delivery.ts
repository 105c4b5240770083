import { createHash } from 'node:crypto';
import { type CatalogueEntry, findEntry, normalizeName } from '../domain/catalogue.ts';
import type { WarehouseEvent } from '../domain/event.ts';
import { isSubjectKind, type SubjectKind } from '../domain/subject.ts';
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
  /** The catalogue's name of an event by another, normalized wire name. */
  readonly aliases?: Readonly<Record<string, string>>;
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
  const { defaultTenant, aliases = {}, receivedAt } = delivery;
  const tplId = message.get('tplid') || defaultTenant;
  const tenant = readText(tplId) ?? '';
  if (!isPlainId(tenant)) return { id: hash, tenant: defaultTenant, parked: 'the tplId is not usable' };

  // A zero is a number that was never set; taken as an id it would make all such events one.
  const eventId = readText(message.get('wmseventid') || undefined) ?? '';
  const ownId = `${tenant}:${eventId}`;
  const id = isPlainId(eventId) && ownId.length <= ID_LIMIT ? ownId : hash;
  return { id, tenant, ...readEvent(message, { id, tenant, receivedAt, aliases }) };
}

function readEvent(
  message: Fields,
  known: Required<Pick<RawDelivery, 'receivedAt' | 'aliases'>> & { readonly id: string; readonly tenant: string },
): { readonly event: WarehouseEvent } | { readonly parked: string } {
  const wireName = readText(message.get('eventtype'));
  if (!wireName) return { parked: 'no event type' };
  const entry = findEntry(ownAlias(known.aliases, wireName) ?? wireName);
  if (!entry) return { parked: `unknown event ${JSON.stringify(wireName.slice(0, 60))}` };
  const { subject } = entry;
  if (!isSubjectKind(subject)) return { parked: `no workflow for ${wordsOf(entry)} events yet` };

  const resource = readFields(message.get('resource'));
  const body = readFields(resource.get('body'));
  const data = readFields(message.get('data'));
  const subjectId = findSubjectId(traces[subject], { resource, body, data });
  if (!subjectId) return { parked: `no id of ${articleOf(subject)} ${subject}` };
  if (!isPlainId(subjectId)) return { parked: `the ${subject}'s id is not usable` };
  const { id, tenant, receivedAt } = known;
  const time = findTime(message, receivedAt) ?? receivedAt;
  const linked = findLinkedIds({ links: message.get('links'), data, body });
  return { event: { id, tenant, name: entry.name, subject, subjectId, time, ...linked } };
}

function ownAlias(aliases: Readonly<Record<string, string>>, wireName: string): string | undefined {
  const name = normalizeName(wireName);
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

/** Where a subject's id stands in a message: the field of `readOnly` and of `data`, and the path of `resource.href`. */
interface Trace {
  readonly field: string;
  readonly path: RegExp;
}

/** As seen for orders; the others' are guessed after them. */
const traces: Readonly<Record<SubjectKind, Trace>> = {
  order: { field: 'orderid', path: /(?:^|\/)orders?\/([^/?#]+)(?:[?#]|$)/i },
  receipt: { field: 'receiverid', path: /(?:^|\/)receivers?\/([^/?#]+)(?:[?#]|$)/i },
  adjustment: { field: 'adjustmentid', path: /(?:^|\/)adjustments?\/([^/?#]+)(?:[?#]|$)/i },
  assembly: { field: 'assemblyid', path: /(?:^|\/)assembl(?:y|ies)\/([^/?#]+)(?:[?#]|$)/i },
};

function findSubjectId(
  { field, path }: Trace,
  { resource, body, data }: { readonly resource: Fields; readonly body: Fields; readonly data: Fields },
): string | undefined {
  const href = readText(resource.get('href')) ?? '';
  return readText(readFields(body.get('readonly')).get(field)) ?? path.exec(href)?.[1] ?? readText(data.get(field));
}

const articleOf = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');

/** A clock may run ahead; a time beyond that would make everything after it look late. */
const CLOCK_TOLERANCE_MS = 86_400_000;

function findTime(message: Fields, receivedAt: number): number | undefined {
  const names = ['eventdatetimeutc', 'datetime', 'createdatetimeutc'];
  return names
    .map((name) => parseEventTime(readText(message.get(name)) ?? ''))
    .find((time) => time !== undefined && time < receivedAt + CLOCK_TOLERANCE_MS);
}

const wordsOf = ({ subject }: CatalogueEntry): string =>
  subject.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
