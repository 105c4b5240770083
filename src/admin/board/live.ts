import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { singleFlight } from '../../base/loop.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { callerOf, needs } from '../access.ts';

export interface LiveDeps {
  readonly cursor: () => Promise<string>;
  readonly onChange: () => void;
}

/** Time between two looks, and for which a call waits for a change, which proxies have to allow; in milliseconds. */
const LOOK_MS = 250;
const HOLD_MS = 15_000;

/** For limited readers: a change would tell them that somebody else is busy. */
const LIMITED_MS = 5000;

const query = z.object({ after: z.string().optional() });

/** Answers with the cursor once it is another than that of the page. The store is read once for all readers. */
export function liveRoutes(app: FastifyInstance, { cursor: readCursor, onChange }: LiveDeps): void {
  let last: string | undefined;
  const shared = singleFlight(LOOK_MS, async () => {
    const cursor = await readCursor();
    if (last !== undefined && cursor !== last) onChange();
    last = cursor;
    return cursor;
  });
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  app.get('/changes', needs.read, async (request, reply) => {
    const { after } = query.parse(request.query);
    const left = new AbortController();
    reply.raw.on('close', () => left.abort());
    const ended = AbortSignal.any([closing.signal, left.signal, AbortSignal.timeout(HOLD_MS)]);
    const isLimited = callerOf(request).limits !== undefined;
    const read = async () => (isLimited ? String(Math.floor(Date.now() / LIMITED_MS)) : await shared.read());
    let cursor = await read();
    while (cursor === after && !ended.aborted) {
      await pause(LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
      if (!ended.aborted) cursor = await read();
    }
    return reply.header('cache-control', 'no-store').type('text/plain').send(cursor);
  });
}

/**
 * Costs nothing to compute. SQLite numbers the commits that another connection sees. PostgreSQL's snapshot changes with each writing
 * transaction of the server.
 */
export function createCursor({ reads }: Pick<Connections, 'reads'>): () => Promise<string> {
  const query = isPostgres(reads)
    ? sql<{ cursor: string }>`select pg_current_snapshot()::text as cursor`
    : sql<{ cursor: number }>`select data_version as cursor from pragma_data_version`;
  return async () => String((await query.execute(reads)).rows[0]?.cursor);
}
