import type { Dispatcher } from 'undici';

interface Dispatchers {
  readonly kept: Dispatcher;
  /** Opens a connection for each request: an `Agent` with `pipelining: 0`. */
  readonly fresh: Dispatcher;
}

/**
 * Sends a request, and once more on a new connection if its own ended before the head of an answer: a server may close a connection that it
 * keeps open just as it is used again; or if the server says that it is not the one that is meant. Only for requests that may arrive twice.
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

/** Statuses of a server that is not, or no more, the one that is meant: a kept connection may lead to where its name led before. */
const ELSEWHERE: ReadonlySet<number> = new Set([404, 410, 421]);

/** Codes of a connection that ended, rather than one that could not be made, or over which came no HTTP. */
const ENDINGS: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
