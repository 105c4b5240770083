import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.ts';

/** Reads the bytes of a request's body as they come, whatever its headers say of them: nothing is inflated or decoded. */
export type BodyReader = (request: IncomingMessage) => Promise<Buffer>;

/** How many bytes of bodies may be on their way at once, unless said otherwise. */
const ARRIVING_LIMIT_BYTES = 268_435_456;

/**
 * Reads bodies within two limits, in bytes: that of each, and that of all which are on their way, so that many slow senders
 * cannot fill the memory.
 *
 * @throws Problem 413, 503 beyond a limit; 400 for a body that ends too early
 */
export function createBodyReader({
  bodyLimit,
  arrivingLimit = ARRIVING_LIMIT_BYTES,
}: {
  readonly bodyLimit: number;
  readonly arrivingLimit?: number;
}): BodyReader {
  let arriving = 0;
  return async (request) => {
    if (Number(request.headers['content-length']) > bodyLimit) throw new Problem(413);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length;
        arriving += chunk.length;
        if (size > bodyLimit) throw new Problem(413);
        if (arriving > arrivingLimit) throw new Problem(503);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks, size);
    } catch (error) {
      throw error instanceof Problem ? error : new Problem(400);
    } finally {
      arriving -= size;
    }
  };
}
