export type Reader = (...path: readonly string[]) => unknown;

/** Each name of a path is looked up by `member`. */
export function readerOf(value: unknown, member = memberOf): Reader {
  return (...path) => {
    let found = value;
    for (const name of path) found = member(found, name);
    return found;
  };
}

/** Regardless of case: the first that is not null, since null means absent. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? membersOf(value, name)[0] : undefined;
}

/** Regardless of case, without nulls. */
export function membersOf(object: object, name: string): readonly unknown[] {
  // Few members are read of many, most of them absent: looking up each is faster than indexing all of them.
  let members: readonly unknown[] = NONE;
  for (const key in object) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const member = object[key as keyof typeof object];
    if (member !== null) members = members === NONE ? [member] : [...members, member];
  }
  return members;
}

const NONE: readonly unknown[] = [];

/** False for a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// TypeScript's library does not know it yet.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** `JSON.stringify` writes it digit by digit. @throws SyntaxError */
export const exactNumber = (digits: string): unknown => rawJSON(digits);

/** Undefined for a value that {@link exactNumber} did not create. */
export const exactNumberIn = (value: unknown): string | undefined => (isRawJSON(value) ? value.rawJSON : undefined);
