/** Reads a member of an object from the wire, or of an object within it, by names in lower case. */
export type Reader = (...path: readonly string[]) => unknown;

/** Creates a reader of an object. Each name of a path is looked up by `member`. */
export function readerOf(value: unknown, member = memberOf): Reader {
  return (...path) => {
    let found = value;
    for (const name of path) found = member(found, name);
    return found;
  };
}

/** Returns an object's member whose name matches regardless of case: the first that is not null, since null means absent. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? membersOf(value, name)[0] : undefined;
}

/** Returns every member of an object whose name matches regardless of case and that is not null. */
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

/** Reports whether a value is an object and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// TypeScript's library does not know it yet.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** Parses JSON so that `JSON.stringify` writes every number as it was, digit by digit. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? rawJSON(source)
      : value) as Parameters<typeof JSON.parse>[1]);
}

/** Returns the digits of a number in whose place {@link parseExactly} put a value of its own; undefined for any other value. */
export const exactNumberIn = (value: unknown): string | undefined => (isRawJSON(value) ? value.rawJSON : undefined);
