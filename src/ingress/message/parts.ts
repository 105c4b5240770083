import { isObject, membersOf, type Reader, readerOf } from '../../base/json.ts';
import { cut } from '../../base/text.ts';
import { parseExactly, parseJson, UnreadableJson } from '../../base/untrusted-json.ts';
import { readId, readText } from '../../domain/wire-values.ts';

const NONE = {};

/** An object, or the one in a JSON text; empty for every other value, which is how the wire says "absent". */
function readObject(value: unknown): Readonly<Record<string, unknown>> {
  const object = readJson(value);
  return isObject(object) ? object : NONE;
}

/** Keys and elements of a message, whose webhook has to be answered soon. */
export const VALUES_LIMIT = 100_000;

/** A value, or the one in a JSON text; undefined for a text that is no JSON. */
export function readJson(value: unknown): unknown {
  try {
    return typeof value === 'string' ? parseJson(value, VALUES_LIMIT) : value;
  } catch {
    return undefined;
  }
}

/** Longer texts are truncated for lists and search; the resource itself is stored whole. */
const TEXT_LIMIT = 255;

export const readShortText = (value: unknown): string | undefined =>
  cut(readText(value) ?? '', TEXT_LIMIT) || undefined;

export const readShortId = (value: unknown): string | undefined => cut(readId(value) ?? '', TEXT_LIMIT) || undefined;

/** Fits keys, paths and HTTP headers: short ASCII without ":", "/" and spaces, and not only dots. */
export function isPlainId(text: string): boolean {
  return /^(?!\.+$)[!-.0-9;-~]{1,100}$/.test(text);
}

/** Keys that contain an event's id rely on fewer than 100 characters. */
export const ID_LIMIT = 99;

/**
 * Reads an object any part of which may be JSON text. Throws UnreadableJson for a member whose keys, regardless of
 * case, have different values: nobody can tell which was meant.
 */
export const openReader = (value: unknown): Reader => readerOf(readObject(value), onlyMember);

function onlyMember(value: unknown, name: string): unknown {
  const members = membersOf(readObject(value), name);
  if (members.length > 1 && members.some((member) => member !== members[0]))
    throw new UnreadableJson(`two values for "${name}"`);
  return members[0];
}

/** Also of one that is wrapped in `{"headers", "body"}`, as in the vendor's documentation. */
export function openMessage(value: unknown): Reader {
  const message = openReader(value);
  const has = (name: string) => message(name) !== undefined;
  const isWrapper = has('headers') && has('body') && !has('eventtype');
  return isWrapper ? openReader(message('body')) : message;
}

/** Parts that identify what a message is about; an absent one is empty. */
export interface Parts {
  /** `rel`, `href` and, if the webhook includes resources, the body. */
  readonly resource: Reader;
  readonly body: Reader;
  readonly record: object;
  readonly data: Reader;
  /** Of the message and of the resource itself. */
  readonly links: readonly Link[];
}

export type Link = readonly [name: string, path: string];

/** The deepest known is `links → "uiproperties/user" → LastModifiedBy`. */
const LINK_DEPTH = 4;

/** Far more than a message has. */
const LINKS_LIMIT = 1000;

function linksIn(value: unknown): readonly Link[] {
  const links: Link[] = [];
  const collect = (members: unknown, depth: number): void => {
    for (const [name, member] of Object.entries(readObject(members))) {
      if (links.length === LINKS_LIMIT) return;
      if (typeof member === 'string') links.push([name, member]);
      else if (depth < LINK_DEPTH) collect(member, depth + 1);
    }
  };
  collect(value, 0);
  return links;
}

export function readParts(message: Reader): Parts {
  const resource = openReader(message('resource'));
  const record = readObject(resource('body'));
  const body = openReader(record);
  const links = [...linksIn(message('links')), ...linksIn(body('_links'))];
  return { resource, body, record, data: openReader(message('data')), links };
}

/** With every digit of its numbers. @throws UnreadableJson */
export function readResource(raw: Uint8Array): unknown {
  const message = openMessage(parseExactly(decodeUtf8(raw)));
  const body = openReader(message('resource'))('body');
  return typeof body === 'string' ? parseExactly(body) : body;
}

/** With every digit of its numbers; undefined if there is no readable resource. */
export function readPayload(raw: Uint8Array): string | undefined {
  try {
    return JSON.stringify(readResource(raw));
  } catch (error) {
    if (error instanceof UnreadableJson) return undefined;
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Drops a byte order mark. @throws UnreadableJson */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableJson(isGzip(bytes) ? 'compressed with gzip; let it be sent without' : 'not UTF-8');
  }
}

/** RFC 1952. */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;
