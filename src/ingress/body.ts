import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.ts';

/** Reads the bytes of a request's body as they come, whatever its headers say of them: nothing is inflated or decoded. */
export type BodyReader = (request: IncomingMessage) => Promise<Buffer>;

/** How long more of a refused body may fail to come until nobody waits for it any more. */
const PATIENCE_MS = 200;

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
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    let size = 0;

    // Listeners cost half of what an asynchronous iteration does, and every webhook comes through here.
    function take(chunk: Buffer): void {
      size += chunk.length;
      arriving += chunk.length;
      chunks.push(chunk);
      if (size > bodyLimit) refuse(new Problem(413));
      else if (arriving > arrivingLimit) refuse(new Problem(503));
    }

    function finish(): void {
      resolve(join(chunks, size));
    }

    function refuse(problem: Problem): void {
      request.off('data', take).off('end', finish);
      chunks.splice(0).forEach(release);
      const rest = 2 * bodyLimit - size;
      forget();
      letPass(request, rest).then(() => reject(problem));
    }

    function forget(): void {
      arriving -= size;
      size = 0;
    }

    request.on('data', take);
    request.once('end', finish);
    request.on('error', () => reject(new Problem(400)));
    if (Number(request.headers['content-length']) > bodyLimit) refuse(new Problem(413));
    return promise.finally(forget);
  };
}

/**
 * Lets what still comes of a refused body pass, up to so many bytes: a connection that is closed before its sender has finished is
 * reset, and the answer lost with it (RFC 9112, section 9.6).
 */
async function letPass(request: IncomingMessage, bytes: number): Promise<void> {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const patience = setTimeout(resolve, PATIENCE_MS);
  let left = bytes;

  function drop(chunk: Buffer): void {
    patience.refresh();
    left -= chunk.length;
    release(chunk);
    if (left < 0) resolve();
  }

  request.on('data', drop).once('end', resolve);
  await passed;
  clearTimeout(patience);
  request.off('data', drop).pause();
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
