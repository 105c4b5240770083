import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Logger } from '../../base/logger.ts';
import { Problem } from '../../http/problem.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import type { ListingDeps } from '../../store/schema.ts';
import { callerOf, needs } from '../access.ts';

export interface LiveDeps {
  readonly cursor: () => Promise<string>;
  readonly onChange: () => void;
  readonly logger: Logger;
}

/** While anybody reads, and after a change, so that it is shown within a second. */
const LOOK_MS = 250;
const LOOK_AGAIN_MS = 600;

/** For limited readers: events of changes would tell them that somebody else is busy. */
const LIMITED_MS = 5000;

/** Comments that keep proxies from ending a quiet stream. */
const ALIVE_MS = 15_000;

/** `x-accel-buffering` is for nginx. */
const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

const CHANGED = 'event: change\ndata: changed\n\n';

/** Of one process. */
const STREAMS = 200;

/** Whenever something was written; one cursor for every reader. */
export function liveRoutes(app: FastifyInstance, { cursor: readCursor, onChange, logger }: LiveDeps): void {
  const streams = new Set<ServerResponse>();
  const limited = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  let last: string | undefined;
  let isClosing = false;

  /** Over the time to the next look: if all fetched their pages at once, a webhook would wait. */
  function spread(readers: ReadonlySet<ServerResponse>): void {
    for (const [index, stream] of [...readers].entries()) {
      setTimeout(() => readers.has(stream) && stream.write(CHANGED), (index * LOOK_MS) / readers.size).unref();
    }
  }

  async function look(): Promise<void> {
    let isChanged = false;
    try {
      const cursor = await readCursor();
      isChanged = last !== undefined && cursor !== last;
      last = cursor;
      if (isChanged) {
        onChange();
        spread(streams);
      }
    } catch (err) {
      logger.warn({ err }, 'the board cannot look for changes');
    }
    timer = streams.size > 0 ? setTimeout(look, isChanged ? LOOK_AGAIN_MS : LOOK_MS).unref() : undefined;
    if (timer === undefined) last = undefined;
  }

  const alive = setInterval(() => streams.forEach((stream) => void stream.write(': alive\n\n')), ALIVE_MS).unref();
  const pulse = setInterval(() => spread(limited), LIMITED_MS).unref();

  app.get('/changes', needs.read, async (request, reply) => {
    // Its body would never end.
    if (request.method === 'HEAD') return reply.headers(HEADERS).send();
    if (streams.size + limited.size >= STREAMS) throw new Problem(503, 'Too many boards are open.');
    // Before the page is told to look, so that nothing happens in between.
    last ??= await readCursor();
    reply.hijack();
    const { raw } = reply;
    if (isClosing) raw.destroy();
    if (raw.destroyed) return;
    raw.writeHead(200, HEADERS);
    // A board that lost its stream has missed what happened since.
    raw.write('retry: 1000\nevent: change\ndata: open\n\n');
    const readers = callerOf(request).limits === undefined ? streams : limited;
    readers.add(raw);
    raw.on('close', () => readers.delete(raw));
    if (readers === streams) timer ??= setTimeout(look, LOOK_MS).unref();
  });

  app.addHook('preClose', async () => {
    isClosing = true;
    clearInterval(alive);
    clearInterval(pulse);
    clearTimeout(timer);
    for (const stream of [...streams, ...limited]) stream.end();
    // Messages that still wait, and a look under way, then find no stream.
    for (const readers of [streams, limited]) readers.clear();
  });
}

/**
 * Costs nothing to compute. SQLite numbers the commits that another connection sees. PostgreSQL's snapshot changes with each writing
 * transaction of the server.
 */
export function createCursor({ reads }: Pick<ListingDeps, 'reads'>): () => Promise<string> {
  const query = isPostgres(reads)
    ? sql<{ cursor: string }>`select pg_current_snapshot()::text as cursor`
    : sql<{ cursor: number }>`select data_version as cursor from pragma_data_version`;
  return async () => String((await query.execute(reads)).rows[0]?.cursor);
}
