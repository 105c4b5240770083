import { Pool, request } from 'undici';

/** Shortest time between two updates of an open board, and between two for the ages alone, as its script has them. */
const SOONEST_MS = 500;
const LATEST_MS = 15_000;

/** Open boards that follow changes. */
export interface Readers {
  /** Resolves with the number of pages that they fetched, once they are closed. */
  stop(): Promise<number>;
}

/** Opens a board for each page. Each follows the stream of changes as the script in a browser does. */
export async function openReaders(origin: string, pages: readonly string[]): Promise<Readers> {
  const closing = new AbortController();
  const readers = await Promise.all(pages.map((path) => openReader(origin, path, closing.signal)));
  return {
    async stop() {
      closing.abort();
      return readers.reduce((sum, fetched) => sum + fetched(), 0);
    },
  };
}

async function openReader(origin: string, path: string, signal: AbortSignal): Promise<() => number> {
  const pool = new Pool(origin, { connections: 1 });
  let fetched = 0;
  let isUpdating = false;
  let isStale = false;
  let version: string | undefined;

  async function changed(): Promise<void> {
    isStale = true;
    if (isUpdating) return;
    isUpdating = true;
    while (isStale && !signal.aborted) {
      isStale = false;
      const known = version === undefined ? {} : { 'if-none-match': version };
      const { headers, body } = await pool.request({
        method: 'GET',
        path,
        headers: { 'accept-encoding': 'gzip', ...known },
      });
      await body.dump();
      version = String(headers.etag);
      fetched += 1;
      await new Promise((resolve) => setTimeout(resolve, SOONEST_MS));
    }
    isUpdating = false;
  }

  const { body } = await request(`${origin}/board/changes`, { signal });
  body.on('error', () => {});
  // A page that is on its way when the board is closed never arrives.
  const follow = () => void changed().catch((error: unknown) => signal.aborted || Promise.reject(error));
  body.on('data', follow);
  const latest = setInterval(() => {
    version = undefined;
    follow();
  }, LATEST_MS);
  signal.addEventListener('abort', () => {
    clearInterval(latest);
    void pool.destroy();
  });
  return () => fetched;
}
