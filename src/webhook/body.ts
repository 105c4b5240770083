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
  return (request) => {
    if (Number(request.headers['content-length']) > bodyLimit) return Promise.reject(new Problem(413));
    const chunks: Buffer[] = [];
    let size = 0;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();

    // Listeners cost half of what an asynchronous iteration does, and every webhook comes through here.
    function take(chunk: Buffer): void {
      size += chunk.length;
      arriving += chunk.length;
      chunks.push(chunk);
      if (size > bodyLimit) refuse(new Problem(413));
      else if (arriving > arrivingLimit) refuse(new Problem(503));
    }

    function refuse(problem: Problem): void {
      request.off('data', take).pause();
      chunks.splice(0).forEach(release);
      reject(problem);
    }

    request.on('data', take);
    request.once('end', () => resolve(join(chunks, size)));
    request.on('error', () => reject(new Problem(400)));
    return promise.finally(() => {
      arriving -= size;
    });
  };
}

/** Most bodies come in one piece, which need not be copied. */
function join(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const body = Buffer.concat(chunks, size);
  chunks.forEach(release);
  return body;
}

/** Gives a chunk's memory back now. For every 64 MB that is left to V8 it collects the whole heap, while all webhooks wait. */
function release({ buffer, byteLength }: Buffer): void {
  // A part of something larger is not ours alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
