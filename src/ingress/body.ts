import type { IncomingMessage } from 'node:http';
import type { Problem } from '../http/problem.ts';
import { refusal } from './refusal.ts';

/** Reads the raw bytes of a request's body, regardless of its headers: nothing is decompressed or decoded. */
export type BodyReader = (request: IncomingMessage) => Promise<Buffer>;

/** Maximum gap between two chunks of a refused body before the server stops draining it. */
const DRAIN_IDLE_MS = 200;

/** Default limit of the bodies in flight together, in bytes. */
const ARRIVING_LIMIT_BYTES = 268_435_456;

/**
 * Creates a reader with two limits, in bytes: one for each body, and one for all bodies in flight together, so that many slow
 * senders cannot exhaust the memory.
 *
 * @throws Problem 413 or 503 beyond a limit; 400 for a truncated body
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

    // Listeners cost half as much as asynchronous iteration, and this is the hot path.
    function take(chunk: Buffer): void {
      size += chunk.length;
      arriving += chunk.length;
      chunks.push(chunk);
      if (size > bodyLimit) refuse(refusal(413));
      else if (arriving > arrivingLimit) refuse(refusal(503));
    }

    function finish(): void {
      resolve(join(chunks, size));
    }

    function refuse(problem: Problem): void {
      request.off('data', take).off('end', finish);
      chunks.splice(0).forEach(release);
      const rest = 2 * bodyLimit - size;
      settle();
      drain(request, rest).then(() => reject(problem));
    }

    function settle(): void {
      arriving -= size;
      size = 0;
    }

    request.on('data', take);
    request.once('end', finish);
    request.on('error', () => reject(refusal(400)));
    if (Number(request.headers['content-length']) > bodyLimit) refuse(refusal(413));
    return promise.finally(settle);
  };
}

/**
 * Drains up to that many bytes of a refused body: closing the connection while its sender still writes would reset it, and the
 * answer would be lost (RFC 9112, section 9.6).
 */
async function drain(request: IncomingMessage, bytes: number): Promise<void> {
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, DRAIN_IDLE_MS);
  let left = bytes;

  function drop(chunk: Buffer): void {
    timer.refresh();
    left -= chunk.length;
    release(chunk);
    if (left < 0) resolve();
  }

  request.on('data', drop).once('end', resolve);
  await drained;
  clearTimeout(timer);
  request.off('data', drop).pause();
}

/** Most bodies come in one chunk, which need not be copied. */
function join(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const body = Buffer.concat(chunks, size);
  chunks.forEach(release);
  return body;
}

/** Frees a chunk's memory now. V8 would collect the whole heap for every 64 MB of it, and all webhooks would wait. */
function release({ buffer, byteLength }: Buffer): void {
  // A slice of a larger buffer may have other users.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
