// TypeScript's library does not know it yet.
const { rawJSON, isRawJSON } = JSON as unknown as { rawJSON(text: string): object; isRawJSON(value: unknown): boolean };

/** Parses JSON so that `JSON.stringify` writes every number as it was, digit by digit. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? rawJSON(source)
      : value) as Parameters<typeof JSON.parse>[1]);
}

/** Reports whether {@link parseExactly} put a value in the place of a number. */
export const isExactNumber = (value: unknown): boolean => isRawJSON(value);
