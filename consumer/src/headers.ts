/** Headers of a request, as Node or `fetch` has them. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the headers that are there once, by their names in lower case. */
export function headersOf(headers: RequestHeaders): Readonly<Record<string, string | undefined>> {
  const entries = isOfFetch(headers) ? [...headers.entries()] : Object.entries(headers);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Recognizes them by their method: libraries have classes of their own. */
const isOfFetch = (headers: RequestHeaders): headers is Headers => typeof headers.get === 'function';
