import type { Readable } from 'node:stream';

/** Number of bytes of an answer that are kept. */
const KEPT = 1024;

/** Body of an answer, of which the rest can be thrown away. */
interface AnswerBody extends Readable {
  dump(): Promise<void>;
}

/** Reads the first kilobyte of a body, and the rest of a moderate one so that its connection can be used again; null if it has none. */
export async function firstBytes(body: AnswerBody): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length >= KEPT) break;
    }
    await body.dump();
  } catch {
    // The status has decided already: a body that breaks off must not cause another attempt.
  }
  return length === 0 ? null : Buffer.concat(chunks, Math.min(length, KEPT));
}
