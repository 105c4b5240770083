import type { Announcement } from './announcement.ts';
import { AnnouncementError } from './announcement-error.ts';
import { headersOf, type RequestHeaders } from './headers.ts';
import { isCloudEvent, parseValue, readJson } from './parse.ts';

/**
 * Reports whether the headers say that a request is an announcement in CloudEvents' binary mode: its attributes are headers, its data is
 * the body. Gateways change headers, so {@link parseRequest} goes by the body.
 */
export function isBinary(headers: RequestHeaders): boolean {
  const { 'ce-specversion': version, 'content-type': type = '' } = headersOf(headers);
  return version !== undefined && !type.toLowerCase().startsWith('application/cloudevents');
}

/**
 * Parses the announcement of a verified request in either mode. What was signed decides: a body that is a whole CloudEvent is one,
 * whatever the headers say, and the signed `webhook-id` is the id of the announcement. Throws `ERR_HEADERS` or `ERR_MALFORMED`.
 */
export function parseRequest(headers: RequestHeaders, body: Uint8Array): Announcement {
  const value = readJson(body);
  const given = headersOf(headers);
  if (!isCloudEvent(value) && given['ce-specversion'] !== undefined) return composeFrom(given, value);
  const announcement = parseValue(value);
  if (announcement.id !== given['webhook-id']) {
    throw new AnnouncementError('ERR_HEADERS', 'webhook-id is not the id of the announcement that was signed');
  }
  return announcement;
}

/**
 * Parses an announcement in the binary mode. The signature covers the body and `webhook-id`, not the attributes, so those that say what
 * the announcement is about have to be the ones that follow from what was signed. Throws `ERR_HEADERS` otherwise, or `ERR_MALFORMED`.
 * A body that is a whole CloudEvent is parsed as {@link parseRequest} does.
 */
export const parseBinary = parseRequest;

/** Composes an announcement from the attributes among the headers and the data. */
function composeFrom(given: ReturnType<typeof headersOf>, data: unknown): Announcement {
  const attributes = Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => name.startsWith('ce-'))
      .map(([name, value = '']) => [name.slice('ce-'.length), decode(name, value)]),
  );
  for (const [name, signed] of Object.entries({ id: given['webhook-id'], ...attributesFrom(data) })) {
    if (attributes[name] !== signed) throw new AnnouncementError('ERR_HEADERS', `ce-${name} is not as it was signed`);
  }
  return parseValue({ ...attributes, datacontenttype: given['content-type'] ?? 'application/json', data });
}

/** Returns the attributes that the data determines; those of order are absent from an announcement that is about no subject. */
function attributesFrom(data: unknown): Readonly<Record<string, string | undefined>> {
  const { tenant, kind, id, milestone, revision } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (revision === undefined) return { sequence: undefined, partitionkey: undefined };
  return {
    type: `dockline.${kind}.${milestone}`,
    source: `/dockline/${encodeURIComponent(String(tenant))}`,
    sequence: String(revision).padStart(10, '0'),
    partitionkey: `${kind}:${tenant}:${id}`,
  };
}

function decode(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new AnnouncementError('ERR_HEADERS', `${name} is not percent-encoded UTF-8`, { cause });
  }
}
