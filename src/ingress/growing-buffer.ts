/**
 * Creates a buffer of at most that many bytes that arrive in chunks, which doubles as needed: an array of chunks would cost some
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
    },
    content: () => bytes.subarray(0, size),
  };
}

function grow(bytes: Buffer, size: number, capacity: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(capacity);
  bytes.copy(larger, 0, 0, size);
  return larger;
}
