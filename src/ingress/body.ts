import type { IncomingMessage } from 'node:http';
import { createGrowingBuffer } from './growing-buffer.ts';
import { type RefusalStatus, refusal } from './refusal.ts';

/**
 * Reads the raw bytes of a request's body, regardless of its headers: nothing is decompressed or decoded. The bytes count as in
 * flight until their use ends. Calls `onFlood` for too many small chunks, which no program sends by accident.
 */
type BodyReader = <T>(request: IncomingMessage, use: (body: Buffer) => Promise<T>, onFlood?: () => void) => Promise<T>;

/** Maximum gap between two chunks of a refused body before the server stops draining it. */
const DRAIN_IDLE_MS = 200;

/** Default limit of the bodies in flight together, in bytes. */
const ARRIVING_LIMIT_BYTES = 268_435_456;

/** Number of chunks beyond which they must have {@link CHUNK_BYTES} on average: each costs as much time as some hundred bytes. */
const CHUNKS = 1000;
const CHUNK_BYTES = 256;

/**
 * Creates a reader with two limits, in bytes: one for each body, and one for all bodies in flight together, so that many slow
 * senders cannot exhaust the memory.
 *
 * @throws Problem 413 or 503 beyond a limit; 400 for a truncated body and for one of too many small chunks
 */
export function createBodyReader({
  bodyLimit,
  arrivingLimit = ARRIVING_LIMIT_BYTES,
}: {
  readonly bodyLimit: number;
  readonly arrivingLimit?: number;
}): BodyReader {
  let inFlight = 0;
  return async (request, use, onFlood) => {
    let counted = 0;
    const count = (bytes: number): boolean => {
      counted += bytes;
      inFlight += bytes;
      return inFlight <= arrivingLimit;
    };
    const settle = () => void count(-counted);
    try {
      return await use(await receive(request, { bodyLimit, count, settle, onFlood }));
    } finally {
      settle();
    }
  };
}

interface Receiving {
  readonly bodyLimit: number;
  /** Counts bytes in flight. Reports whether they are within the limit. */
  readonly count: (bytes: number) => boolean;
  readonly settle: () => void;
  readonly onFlood: (() => void) | undefined;
}

function receive(request: IncomingMessage, { bodyLimit, count, settle, onFlood }: Receiving): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const length = Number(request.headers['content-length']);
  const body = createGrowingBuffer(Math.min(bodyLimit, length >= 0 ? length : bodyLimit));
  let size = 0;
  let chunks = 0;

  // Listeners cost half as much as asynchronous iteration, and this is the hot path.
  function take(chunk: Buffer): void {
    size += chunk.length;
    chunks += 1;
    const isCounted = count(chunk.length);
    if (size > bodyLimit) refuse(413);
    else if (!isCounted) refuse(503);
    else if (isTooFine(chunks, size)) {
      onFlood?.();
      refuse(400);
    } else body.append(chunk);
  }

  function finish(): void {
    resolve(body.content());
  }

  function refuse(status: RefusalStatus): void {
    request.off('data', take).off('end', finish);
    settle();
    // The sender may have more to send.
    const headers = { ...refusal(status).headers, connection: 'close' };
    drain(request, 2 * bodyLimit - size).then(() => reject(refusal(status, { headers })));
  }

  request.on('data', take);
  request.once('end', finish);
  request.on('error', () => reject(refusal(400)));
  if (length > bodyLimit) refuse(413);
  return promise;
}

const isTooFine = (chunks: number, size: number): boolean => chunks > CHUNKS && size < chunks * CHUNK_BYTES;

/**
 * Drains up to that many bytes of a refused body: closing the connection while its sender still writes would reset it, and the
 * answer would be lost (RFC 9112, section 9.6).
 */
export async function drain(request: IncomingMessage, bytes: number): Promise<void> {
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, DRAIN_IDLE_MS);
  let size = 0;
  let chunks = 0;

  function drop(chunk: Buffer): void {
    timer.refresh();
    size += chunk.length;
    chunks += 1;
    if (size <= bytes && !isTooFine(chunks, size)) return;
    request.off('data', drop).pause();
    resolve();
  }

  request.on('data', drop).once('end', resolve).once('error', resolve);
  await drained;
  clearTimeout(timer);
  request.off('data', drop).pause();
}
