import type { Reader } from '../../domain/catalogue/stock-summary.ts';
import { parseJson } from './json.ts';

/** An object's members, whatever the case of their names; a null counts as absent, and of several the first counts. */
export class Fields {
  readonly #object: Readonly<Record<string, unknown>>;

  constructor(object: Readonly<Record<string, unknown>>) {
    this.#object = object;
  }

  /** The member with a name in lower case. */
  get(name: string): unknown {
    // Few members are asked for, of many: looking each up is quicker than an index of them all.
    for (const key in this.#object) {
      if (key.length !== name.length || key.toLowerCase() !== name) continue;
      const member = this.#object[key];
      if (member !== null) return member;
    }
    return undefined;
  }

  /** All of them, by their names in lower case. */
  entries(): (readonly [name: string, member: unknown])[] {
    return Object.entries(this.#object).map(([key, member]) => [key.toLowerCase(), member]);
  }
}

/** The fields of an object, or of the JSON text of one; none for everything else, which is how the wire says "absent". */
export function readFields(value: unknown): Fields {
  if (value instanceof Fields) return value;
  const object = typeof value === 'string' ? tryParse(value) : value;
  return isObject(object) ? new Fields(object) : NONE;
}

const NONE = new Fields({});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads members of an object, or of one within it, by names in lower case. */
export function readerOf(value: unknown): Reader {
  return (...path) => path.reduce<unknown>((object, name) => readFields(object).get(name), value);
}

/** A number or a string as text; undefined for what is empty or neither. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

/** Whether a text can be part of keys, paths and HTTP headers: short ASCII, not of dots alone, and free of ":", "/" and spaces. */
export function isPlainId(text: string): boolean {
  return /^(?!\.+$)[!-.0-9;-~]{1,100}$/.test(text);
}

/** Longer texts of a message are cut: they are for lists and search, and the resource itself is kept whole. */
const TEXT_LIMIT = 255;

/** A text for people, as {@link readText} reads it, at most 255 characters of it. */
export const readShortText = (value: unknown): string | undefined => readText(value)?.slice(0, TEXT_LIMIT);

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
