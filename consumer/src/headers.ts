/** Value of a header, or the list of its values. */
type HeaderValue = string | readonly string[] | undefined;

/** Headers of a request, as Node, `fetch` or a function behind a gateway has them: names in any case, and each value alone or in a list. */
export type RequestHeaders =
  | Headers
  | Iterable<readonly [name: string, value: HeaderValue]>
  | Readonly<Record<string, HeaderValue>>;

/** Returns the headers that have one value, by their names in lower case. A value that is there twice counts once, also joined by a server. */
export function headersOf(headers: RequestHeaders): Readonly<Record<string, string | undefined>> {
  const single = [...valuesOf(headers)].map(([name, values]) => [name, values.size === 1 ? [...values][0] : undefined]);
  return Object.fromEntries(single.filter(([, value]) => typeof value === 'string'));
}

/** Returns the signatures of one header or several, which a server may have joined with commas; undefined if there is none. */
export function signaturesIn(headers: RequestHeaders): readonly string[] | undefined {
  const values = [...(valuesOf(headers).get('webhook-signature') ?? [])];
  return values.length === 0 ? undefined : values.flatMap((value) => String(value).match(SIGNATURE) ?? []);
}

/** Version and signature, such as `v1,…`. */
const SIGNATURE = /(?<![^\s,])[^\s,]+,[^\s,]+/g;

/** Returns the different values of each header, by its name in lower case. */
function valuesOf(headers: RequestHeaders): ReadonlyMap<string, ReadonlySet<unknown>> {
  const all = new Map<string, Set<unknown>>();
  for (const [name, value] of isIterable(headers) ? headers : Object.entries(headers)) {
    const key = name.toLowerCase();
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    all.set(key, new Set([...(all.get(key) ?? []), ...values.filter((one) => one != null).map(once)]));
  }
  return all;
}

/** Returns a value that a server has joined with itself as it was. */
function once(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const half = value.slice(0, (value.length - ', '.length) / 2);
  return value === `${half}, ${half}` ? half : value;
}

const isIterable = (headers: RequestHeaders): headers is Headers | Iterable<readonly [string, HeaderValue]> =>
  Symbol.iterator in headers;
