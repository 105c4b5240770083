import type { Dispatcher } from 'undici';

interface Dispatchers {
  readonly kept: Dispatcher;
  /** An `Agent` with `pipelining: 0`: a connection for each request. */
  readonly fresh: Dispatcher;
}

/**
 * Sends a request that may arrive twice, and again on a new connection if its own ended before the head of an answer (a server may close a
 * kept connection just as it is used), or if the server is not the one that is meant.
 */
export async function requestTwice(
  { kept, fresh }: Dispatchers,
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData> {
  try {
    const answer = await kept.request(options);
    if (!ELSEWHERE.has(answer.statusCode)) return answer;
    // Closes the connection, over which nothing else is to go.
    answer.body.on('error', () => undefined).destroy();
  } catch (error) {
    if (!ENDINGS.has(codeOf(error))) throw error;
  }
  return await fresh.request(options);
}

/** A kept connection may lead to where its name led before. */
const ELSEWHERE: ReadonlySet<number> = new Set([404, 410, 421]);

/** The connection ended; not: it could not be made, or no HTTP came over it. */
const ENDINGS: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
