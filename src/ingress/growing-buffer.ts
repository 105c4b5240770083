/**
 * Creates a buffer of at most that many bytes that arrive in chunks, which doubles as needed and frees each chunk: an array of chunks would cost some
 * hundred bytes for each, however small. Most bodies come in one chunk, which is not copied.
 */
export function createGrowingBuffer(limit: number) {
  let bytes: Buffer = Buffer.alloc(0);
  let size = 0;
  return {
    append(chunk: Buffer) {
      if (size === 0) {
        bytes = chunk;
        size = chunk.length;
        return;
      }
      if (size + chunk.length > bytes.length)
        bytes = grow(bytes, size, Math.max(size + chunk.length, Math.min(limit, 2 * size)));
      chunk.copy(bytes, size);
      size += chunk.length;
      release(chunk);
    },
    content: () => bytes.subarray(0, size),
    /** Frees its memory now. */
    release: () => release(bytes),
  };
}

function grow(bytes: Buffer, size: number, capacity: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(capacity);
  bytes.copy(larger, 0, 0, size);
  release(bytes);
  return larger;
}

/** Frees a chunk's memory now. V8 would collect the whole heap for every 64 MB of it, and all webhooks would wait. */
export function release({ buffer, byteLength }: Buffer): void {
  // A slice of a larger buffer may have other users.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
