import type { Announcement } from './announcement.ts';
import { AnnouncementError } from './announcement-error.ts';
import { headersOf, type RequestHeaders } from './headers.ts';
import { parseValue, readJson } from './parse.ts';

/** Reports whether a request is an announcement in CloudEvents' binary mode: its attributes are headers, its data is the body. */
export function isBinary(headers: RequestHeaders): boolean {
  const { 'ce-specversion': version, 'content-type': type = '' } = headersOf(headers);
  return version !== undefined && !type.startsWith('application/cloudevents');
}

/**
 * Parses an announcement in the binary mode. The signature covers the body and `webhook-id`, not the attributes, so those that say what
 * the announcement is about have to be the ones that follow from what was signed. Throws `ERR_HEADERS` otherwise, or `ERR_MALFORMED`.
 */
export function parseBinary(headers: RequestHeaders, body: Uint8Array): Announcement {
  const given = headersOf(headers);
  const data = readJson(body);
  const attributes = Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => name.startsWith('ce-'))
      .map(([name, value = '']) => [name.slice('ce-'.length), decode(name, value)]),
  );
  for (const [name, signed] of Object.entries({ id: given['webhook-id'], ...attributesFrom(data) })) {
    if (attributes[name] !== signed) throw new AnnouncementError('ERR_HEADERS', `ce-${name} is not as it was signed`);
  }
  return parseValue({ ...attributes, datacontenttype: given['content-type'], data });
}

/** Returns the attributes that the data determines; those of order are absent from an announcement that is about no subject. */
function attributesFrom(data: unknown): Readonly<Record<string, string | undefined>> {
  const { tenant, kind, id, milestone, revision } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (revision === undefined) return { sequence: undefined, partitionkey: undefined };
  return {
    type: `dockline.${kind}.${milestone}`,
    source: `/dockline/${encodeURIComponent(String(tenant))}`,
    sequence: String(revision),
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
