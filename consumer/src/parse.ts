import type { Announcement, UnknownAnnouncement } from './announcement.ts';
import { AnnouncementError } from './announcement-error.ts';
import { headersOf, type RequestHeaders } from './headers.ts';
import { milestonesOf } from './milestones.ts';

const knownTypes: ReadonlySet<unknown> = new Set(
  Object.entries(milestonesOf).flatMap(([kind, milestones]) => milestones.map((it) => `dockline.${kind}.${it}`)),
);

/** Form of the number that counts up from 1; longer ones would not be exact. */
const SEQUENCE = /^0*[1-9]\d{0,14}$/;

/** Reports whether a value has the attributes by which announcements are taken. The rest is as Dockline signed it. */
function isAnnouncement(
  value: unknown,
): value is Omit<UnknownAnnouncement, 'sentType' | 'type'> & { readonly type: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { specversion, type, id, source, sequence, partitionkey, data } = value as Readonly<Record<string, unknown>>;
  const isPlaced = typeof partitionkey === 'string' && typeof sequence === 'string' && SEQUENCE.test(sequence);
  const isUnplaced = partitionkey === undefined && sequence === undefined;
  const isKnown = knownTypes.has(type);
  return (
    [specversion, type, id, source].every((it) => typeof it === 'string') &&
    (isPlaced || (isUnplaced && !isKnown)) &&
    (!isKnown || (typeof data === 'object' && data !== null))
  );
}

/**
 * Parses the bytes of an announcement: a CloudEvent that is one JSON document. Members that this version does not know stay; an announcement of another type is `unknown`.
 * Throws `ERR_MALFORMED` for anything else.
 */
export const parse = (body: Uint8Array): Announcement => parseValue(readJson(body));

/**
 * Parses the announcement of a verified request, which has to be the one whose id was signed, as `webhook-id`. Throws `ERR_HEADERS`
 * otherwise, or `ERR_MALFORMED`.
 */
export function parseRequest(headers: RequestHeaders, body: Uint8Array): Announcement {
  const announcement = parse(body);
  if (announcement.id !== headersOf(headers)['webhook-id']) {
    throw new AnnouncementError('ERR_HEADERS', 'webhook-id is not the id of the announcement that was signed');
  }
  return announcement;
}

/** Parses an announcement that was read as JSON, as {@link parse} does. */
export function parseValue(value: unknown): Announcement {
  if (!isAnnouncement(value)) throw new AnnouncementError('ERR_MALFORMED', 'the body is not an announcement');
  if (knownTypes.has(value.type)) return value as Announcement;
  return { ...value, type: 'unknown', sentType: value.type };
}

/** Reads JSON in UTF-8. Throws `ERR_MALFORMED`. */
function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new AnnouncementError('ERR_MALFORMED', 'the body is not JSON in UTF-8', { cause });
  }
}
