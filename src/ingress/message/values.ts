import { isObject } from '../../base/json.ts';
import { cut } from '../../base/text.ts';
import { parseJson } from '../../base/untrusted-json.ts';
import { readId, readText } from '../../domain/wire-values.ts';

const NONE = {};

/** Returns an object, or the object in a JSON text; an empty one for every other value, which is how the wire says "absent". */
export function readObject(value: unknown): Readonly<Record<string, unknown>> {
  const object = readJson(value);
  return isObject(object) ? object : NONE;
}

/** Maximum number of keys and elements of a message, whose webhook has to be answered soon, and others at the same time. */
export const VALUES_LIMIT = 100_000;

/** Returns a value, or the value in a JSON text; undefined for a text that is no JSON. */
export function readJson(value: unknown): unknown {
  try {
    return typeof value === 'string' ? parseJson(value, VALUES_LIMIT) : value;
  } catch {
    return undefined;
  }
}

/** Longer texts are truncated: they serve lists and search, and the resource itself is stored whole. */
const TEXT_LIMIT = 255;

/** Returns a text for display as {@link readText} does, truncated to 255 characters. */
export const readShortText = (value: unknown): string | undefined =>
  cut(readText(value) ?? '', TEXT_LIMIT) || undefined;

/** Returns an id for display as {@link readId} does, truncated likewise. */
export const readShortId = (value: unknown): string | undefined => cut(readId(value) ?? '', TEXT_LIMIT) || undefined;

/** Reports whether a text may be part of keys, paths and HTTP headers: short ASCII without ":", "/" and spaces, and not only dots. */
export function isPlainId(text: string): boolean {
  return /^(?!\.+$)[!-.0-9;-~]{1,100}$/.test(text);
}

/** Longest id of an event: the keys that contain it rely on fewer than 100 characters. */
export const ID_LIMIT = 99;
