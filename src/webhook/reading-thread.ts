import { workerData } from 'node:worker_threads';
import type { Entry } from '../inbox/rows.ts';
import { createReader, type Rules } from './endpoints.ts';
import type { Received } from './entry.ts';

const read = createReader(workerData as Rules);

/** Reads a delivery in a thread of its own; its body stays there, since who asks has it. */
export function readInThread(received: Received): Omit<Entry, 'body'> {
  const { body: _body, ...entry } = read(received);
  return entry;
}
