import { isObject } from '../../base/json.ts';
import { cut } from '../../base/text.ts';
import { parseJson } from '../../base/untrusted-json.ts';
import { readId, readText } from '../../domain/wire-values.ts';

const NONE = {};

/** An object, or the one in a JSON text; empty for every other value, which is how the wire says "absent". */
export function readObject(value: unknown): Readonly<Record<string, unknown>> {
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
