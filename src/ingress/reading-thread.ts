import { workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { Entry } from '../inbox/rows.ts';
import { createReader, type Rules } from './endpoints.ts';
import type { Received } from './message/entry.ts';

/** Result of the thread. It has no body if compression does not help: the caller has the original. */
export type ReadInThread = Omit<Entry, 'body'> & Partial<Pick<Entry, 'body'>>;

/** Fastest level of gzip. */
const LEVEL = 1;

const read = createReader(workerData as Rules);

/** Reads a delivery in a worker thread, and gzips its body if that makes it smaller. */
export function readInThread(received: Received): ReadInThread {
  const { body, ...entry } = read(received);
  const gzipped = gzipSync(body, { level: LEVEL });
  return gzipped.byteLength < body.byteLength ? { ...entry, body: gzipped, uncompressedBytes: body.byteLength } : entry;
}
