import { platform } from 'node:os';
import { Piscina } from 'piscina';
import type { Entry } from '../inbox/rows.ts';
import type { Logger } from '../observability/logger.ts';
import { createReader, type Rules } from './endpoints.ts';
import type { Received } from './message/entry.ts';
import type { ReadInThread } from './reading-thread.ts';

/** Minimum size of a body that the thread reads, in bytes. */
const LARGE_BYTES = 65_536;

/** Maximum number of bodies that wait for the thread. Beyond it the main thread reads them: that slows their senders and bounds the memory. */
const WAITING_LIMIT = 16;

/** Increment of the thread's niceness. Only Linux has a niceness for each thread; elsewhere it would apply to the process. */
const NICENESS = platform() === 'linux' ? 10 : 0;

/**
 * Opens a reader that reads and gzips large deliveries in a worker thread, which starts on demand. If the thread fails, the main thread
 * reads them, and a warning is logged once.
 */
export function openThreadedReader({
  logger,
  program = new URL('reading-thread.ts', import.meta.url),
  idleMs = 60_000,
  ...rules
}: Rules & {
  readonly logger: Pick<Logger, 'warn'>;
  /** Program of the thread. */
  readonly program?: URL;
  /** Idle time after which the thread stops, in milliseconds. */
  readonly idleMs?: number;
}) {
  const read = createReader(rules);
  const pool = openPool({ ...rules, program, idleMs });
  let isKnownToFail = false;
  let isClosing = false;

  function warnOnce(err: unknown): void {
    if (!isKnownToFail && !isClosing)
      logger.warn({ err }, 'the reading thread failed; the main thread reads large bodies');
    isKnownToFail = true;
  }

  async function readInThread(received: Received): Promise<Entry> {
    // The body is copied: the store needs it too, and so does the main thread if the thread fails.
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
    /** Reads a delivery as {@link createReader} does: synchronously unless its body is large. */
    read: (received: Received): Entry | Promise<Entry> =>
      isClosing || received.body.byteLength < LARGE_BYTES || pool.queueSize >= WAITING_LIMIT
        ? read(received)
        : readInThread(received),
    /** Stops the thread; the main thread reads the bodies that were waiting for it. */
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
    filename: program.href,
    name: 'readInThread',
    workerData,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    stricterFIFO: true,
    niceIncrement: NICENESS,
  });
  // Bodies that wait for a crashed thread would wait until the next one starts.
  pool.on('workerDestroy', () => queueMicrotask(() => pool.queueSize > 0 && pool.destroy()));
  return pool;
}
