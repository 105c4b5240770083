import { Pool, request } from 'undici';

/** Shortest time between two updates of an open board, and the time after a change for its last update, as its script has them. */
const SOONEST_MS = 300;
const SETTLED_MS = 600;

/** Open boards that follow changes. */
export interface Readers {
  /** Resolves with the number of pages that they fetched, once they are closed. */
  close(): Promise<number>;
}

/** Opens the first page of the board as many times as asked. Each follows the stream of changes as the script in a browser does. */
export async function openReaders(origin: string, count: number): Promise<Readers> {
  const closing = new AbortController();
  const readers = await Promise.all(Array.from({ length: count }, () => openReader(origin, closing.signal)));
  return {
    async close() {
      closing.abort();
      const pages = await Promise.all(readers);
      return pages.reduce((sum, fetched) => sum + fetched(), 0);
    },
  };
}

async function openReader(origin: string, signal: AbortSignal): Promise<() => number> {
  const pool = new Pool(origin, { connections: 1 });
  let fetched = 0;
  let isUpdating = false;
  let isStale = false;
  let last: NodeJS.Timeout | undefined;

  async function changed(): Promise<void> {
    isStale = true;
    if (isUpdating) return;
    isUpdating = true;
    while (isStale && !signal.aborted) {
      isStale = false;
      const { body } = await pool.request({ method: 'GET', path: '/board' });
      await body.dump();
      fetched += 1;
      await new Promise((resolve) => setTimeout(resolve, SOONEST_MS));
    }
    isUpdating = false;
  }

  const { body } = await request(`${origin}/board/changes`, { signal });
  body.on('error', () => {});
  body.on('data', () => {
    void changed();
    clearTimeout(last);
    last = setTimeout(changed, SETTLED_MS);
  });
  signal.addEventListener('abort', () => {
    clearTimeout(last);
    void pool.destroy();
  });
  return () => fetched;
}
