import { workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { Entry } from '../inbox/rows.ts';
import { createReader, type Rules } from './endpoints.ts';
import type { Received } from './message/entry.ts';

/** What the thread answers: without a body where that is best kept as it came, since who asks has it. */
export type ReadInThread = Omit<Entry, 'body'> & Partial<Pick<Entry, 'body'>>;

/** Gzip's fastest. */
const LEVEL = 1;

const read = createReader(workerData as Rules);

/** Reads a delivery in a thread of its own and gzips its body, which the main thread is to write, where that makes it smaller. */
export function readInThread(received: Received): ReadInThread {
  const { body, ...entry } = read(received);
  const gzipped = gzipSync(body, { level: LEVEL });
  return gzipped.byteLength < body.byteLength ? { ...entry, body: gzipped, uncompressedBytes: body.byteLength } : entry;
}
