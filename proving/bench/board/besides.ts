import { setTimeout as pause } from 'node:timers/promises';
import { Pool, request } from 'undici';

/** Load beside the webhooks. */
export interface Beside {
  /** Ends it; resolves with the number of pages that were fetched, or of items that were done. */
  stop(): Promise<number>;
}

/** Shortest time between two updates of an open board, in milliseconds, as its script has it. */
const SOONEST_MS = 500;

/** Opens a board for each page. Under load something always changes, so that each is fetched as often as a browser may. */
export function openBoards(origin: string, pages: readonly string[]): Beside {
  const closing = new AbortController();
  const readers = pages.map(async (path) => {
    const pool = new Pool(origin, { connections: 1 });
    let fetched = 0;
    let version = '';
    while (!closing.signal.aborted) {
      const given = { 'accept-encoding': 'gzip', 'if-none-match': version };
      const { headers, body } = await pool.request({ method: 'GET', path, headers: given });
      await body.dump();
      version = String(headers.etag);
      fetched += 1;
      await pause(SOONEST_MS);
    }
    await pool.close();
    return fetched;
  });
  return {
    async stop() {
      closing.abort();
      return (await Promise.all(readers)).reduce((sum, fetched) => sum + fetched, 0);
    },
  };
}

/** Resends every dead letter, as `dockline admin bulk resend` does. */
export async function startBulkResend(origin: string): Promise<Beside> {
  const post = async (path: string, sent: object = {}) => {
    const { statusCode, body } = await request(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    const answer = (await body.json()) as { readonly id: number; readonly done: number };
    if (statusCode >= 300) throw new Error(`${path} was answered ${statusCode}`);
    return answer;
  };
  const { id } = await post('/bulk', { action: 'resend' });
  await post(`/bulk/${id}/confirm`);
  return { stop: async () => (await post(`/bulk/${id}/cancel`)).done };
}
