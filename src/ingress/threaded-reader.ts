import { platform } from 'node:os';
import { Piscina } from 'piscina';
import type { Entry } from '../inbox/rows.ts';
import type { Logger } from '../observability/logger.ts';
import { createReader, type Rules } from './endpoints.ts';
import type { Received } from './message/entry.ts';
import type { ReadInThread } from './reading-thread.ts';

/** From how many bytes on a body is worth the way to the thread. */
const LARGE_BYTES = 65_536;

/** How many large bodies may wait for the thread. Beyond that they are read here, which slows their senders, instead of filling the memory. */
const WAITING_LIMIT = 16;

/** What the thread's priority is lowered by; only Linux has priorities of threads, elsewhere it would be the process's. */
const NICENESS = platform() === 'linux' ? 10 : 0;

/** Reads deliveries; the large ones beside the main thread, where they are gzipped, too. */
export interface ThreadedReader {
  /** As {@link createReader} does it: at once or, for a large body, in a thread, which starts when it is first needed. */
  readonly read: (received: Received) => Entry | Promise<Entry>;
  /** Ends the thread; what it had not read is read on the main thread. */
  close(): Promise<void>;
}

/** Opens a reader by the given rules. Where its thread fails, large bodies are read on the main thread, and that is logged once. */
export function openThreadedReader({
  logger,
  program = new URL('reading-thread.ts', import.meta.url),
  idleMs = 60_000,
  ...rules
}: Rules & {
  readonly logger: Pick<Logger, 'warn'>;
  /** What the thread runs. */
  readonly program?: URL;
  /** After how long without work the thread ends. */
  readonly idleMs?: number;
}): ThreadedReader {
  const read = createReader(rules);
  const pool = openPool({ ...rules, program, idleMs });
  let isKnownToFail = false;
  let isClosing = false;

  function warnOnce(err: unknown): void {
    if (!isKnownToFail && !isClosing) logger.warn({ err }, 'large bodies are read on the main thread');
    isKnownToFail = true;
  }

  async function readBeside(received: Received): Promise<Entry> {
    // A copy: the store needs the body too, and so does the main thread if the thread fails.
    const body = new Uint8Array(received.body);
    try {
      return { body: received.body, ...(await pool.run({ ...received, body }, { transferList: [body.buffer] })) };
    } catch (error) {
      warnOnce(error);
      return read(received);
    }
  }

  pool.on('error', warnOnce);
  return {
    read: (received) =>
      isClosing || received.body.byteLength < LARGE_BYTES || pool.queueSize >= WAITING_LIMIT
        ? read(received)
        : readBeside(received),
    async close() {
      isClosing = true;
      await pool.destroy();
    },
  };
}

function openPool({
  program,
  idleMs,
  endpoints,
  aliases,
}: Rules & { readonly program: URL; readonly idleMs: number }): Piscina<Received, ReadInThread> {
  const tenants = new Map([...endpoints].map(([name, { tenant }]) => [name, { tenant }]));
  const workerData: Rules = { endpoints: tenants, aliases };
  const pool = new Piscina<Received, ReadInThread>({
    ...{ filename: program.href, name: 'readInThread', workerData },
    ...{ minThreads: 0, maxThreads: 1, idleTimeout: idleMs, stricterFIFO: true, niceIncrement: NICENESS },
  });
  // What waits for a thread that dies would wait until the next is needed.
  pool.on('workerDestroy', () => queueMicrotask(() => pool.queueSize > 0 && pool.destroy()));
  return pool;
}
