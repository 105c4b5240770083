import type { Dispatcher } from 'undici';

/** Dispatchers of one server. */
interface Dispatchers {
  /** Reuses connections. */
  readonly kept: Dispatcher;
  /** Opens a connection for each request: an `Agent` with `pipelining: 0`. */
  readonly fresh: Dispatcher;
}

/**
 * Sends a request, and once more on a new connection if its own ended before the head of an answer: a server may close a connection that it
 * keeps open just as it is used again. Only for requests that may arrive twice.
 */
export async function requestTwice(
  { kept, fresh }: Dispatchers,
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData> {
  try {
    return await kept.request(options);
  } catch (error) {
    if (!ENDINGS.has(codeOf(error))) throw error;
    return await fresh.request(options);
  }
}

/** Codes of a connection that ended, rather than one that could not be made, or over which came no HTTP. */
const ENDINGS: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
