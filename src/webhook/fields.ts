import type { Reader } from '../domain/stock-summary.ts';
import { parseJson } from './json.ts';

/** An object's members by their names in lower case; a null counts as absent. */
export type Fields = ReadonlyMap<string, unknown>;

/** The fields of an object, or of the JSON text of one; none for everything else, which is how the wire says "absent". */
export function readFields(value: unknown): Fields {
  const object = typeof value === 'string' ? tryParse(value) : value;
  const fields = new Map<string, unknown>();
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return fields;
  for (const [name, member] of Object.entries(object)) {
    const key = name.toLowerCase();
    if (member !== null && !fields.has(key)) fields.set(key, member);
  }
  return fields;
}

/** Reads members of an object, or of one within it, by names in lower case. */
export function readerOf(value: unknown): Reader {
  return (...path) => path.reduce<unknown>((object, name) => fieldsOf(object).get(name), value);
}

const fieldsOf = (value: unknown): Fields => (value instanceof Map ? value : readFields(value));

/** A number or a string as text; undefined for what is empty or neither. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

/** Whether a text can be part of keys and paths: short, not of dots alone, and free of ":", "/", spaces and what no one can see. */
export function isPlainId(text: string): boolean {
  return /^(?!\.+$)[^\s:/\p{C}]{1,100}$/u.test(text);
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
