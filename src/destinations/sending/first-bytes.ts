import type { Readable } from 'node:stream';

/** Number of bytes of an answer that are kept. */
const KEPT = 1024;

/** Time for the body of an answer, in milliseconds. Its status has decided, and others wait meanwhile. */
const PATIENCE_MS = 250;

/** Body of an answer, of which the rest can be thrown away. */
interface AnswerBody extends Readable {
  dump(): Promise<void>;
}

/**
 * Reads the first kilobyte of a body, and the rest of a moderate one so that its connection can be used again; null if it has none. A body
 * that takes longer is given up with its connection.
 */
export async function firstBytes(body: AnswerBody): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  const patience = setTimeout(() => body.destroy(), PATIENCE_MS);
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length >= KEPT) break;
    }
    await body.dump();
  } catch {
    // A body that breaks off must not cause another attempt.
  } finally {
    clearTimeout(patience);
  }
  return length === 0 ? null : Buffer.concat(chunks, Math.min(length, KEPT));
}
