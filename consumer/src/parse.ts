import type { Announcement, UnknownAnnouncement } from './announcement.ts';
import { AnnouncementError } from './announcement-error.ts';
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
 * Parses the bytes of an announcement in CloudEvents' structured mode. Members that this version does not know stay; an announcement of another type is `unknown`.
 * Throws `ERR_MALFORMED` for anything else.
 */
export const parse = (body: Uint8Array): Announcement => parseValue(readJson(body));

/** Reports whether JSON is a whole CloudEvent: the data of an announcement has no such member. */
export const isCloudEvent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'specversion' in value;

/** Parses an announcement that was read as JSON, as {@link parse} does. */
export function parseValue(value: unknown): Announcement {
  if (!isAnnouncement(value)) throw new AnnouncementError('ERR_MALFORMED', 'the body is not an announcement');
  if (knownTypes.has(value.type)) return value as Announcement;
  return { ...value, type: 'unknown', sentType: value.type };
}

/** Reads JSON in UTF-8. Throws `ERR_MALFORMED`. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new AnnouncementError('ERR_MALFORMED', 'the body is not JSON in UTF-8', { cause });
  }
}
