/** Value of a header, or the list of its values. */
type HeaderValue = string | readonly string[] | undefined;

/** Headers of a request, as Node, `fetch` or a function behind a gateway has them: names in any case, and each value alone or in a list. */
export type RequestHeaders =
  | Headers
  | Iterable<readonly [name: string, value: HeaderValue]>
  | Readonly<Record<string, HeaderValue>>;

/** Returns the headers that have one value, by their names in lower case. A value that is there twice counts once. */
export function headersOf(headers: RequestHeaders): Readonly<Record<string, string | undefined>> {
  const valuesOf = new Map<string, Set<unknown>>();
  for (const [name, value] of isIterable(headers) ? headers : Object.entries(headers)) {
    const key = name.toLowerCase();
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    valuesOf.set(key, new Set([...(valuesOf.get(key) ?? []), ...values.filter((one) => one != null)]));
  }
  const single = [...valuesOf].map(([name, values]) => [name, values.size === 1 ? [...values][0] : undefined]);
  return Object.fromEntries(single.filter(([, value]) => typeof value === 'string'));
}

const isIterable = (headers: RequestHeaders): headers is Headers | Iterable<readonly [string, HeaderValue]> =>
  Symbol.iterator in headers;
