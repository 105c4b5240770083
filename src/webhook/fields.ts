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

/** A number or a string as text; undefined for what is empty or neither. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

/** Whether a text can be part of keys and paths: short, and free of ":", "/" and what no one can see. */
export function isPlainId(text: string): boolean {
  return /^[^:/\p{C}]{1,100}$/u.test(text);
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
