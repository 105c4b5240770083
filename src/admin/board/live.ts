import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../base/logger.ts';
import { Problem } from '../../http/problem.ts';
import { callerOf, needs } from '../access.ts';

export interface LiveDeps {
  /** Returns a text that changes whenever something was committed, which every page then shows. */
  readonly cursor: () => Promise<string>;
  /** Called before readers are told of a change. */
  readonly onChange: () => void;
  readonly logger: Logger;
}

/** Time between two looks at the store while anybody reads, and after a change, so that it is shown within a second; in milliseconds. */
const LOOK_MS = 250;
const LOOK_AGAIN_MS = 600;

/** Time between two events for who is limited, in milliseconds: those of changes would tell that somebody else is busy. */
const LIMITED_MS = 5000;

/** Time between two signs of life, so that no proxy ends a quiet stream. */
const ALIVE_MS = 15_000;

/** Headers of a stream; nginx would gather it. */
const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

const CHANGED = 'event: change\ndata: changed\n\n';

/** Streams of one process. */
const STREAMS = 200;

/** Adds `GET /changes`: server-sent events that tell when something was written. One cursor serves every reader. */
export function liveRoutes(app: FastifyInstance, { cursor: readCursor, onChange, logger }: LiveDeps): void {
  const streams = new Set<ServerResponse>();
  const limited = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  let last: string | undefined;
  let isClosing = false;

  /** Tells one reader after the other until the next look: if all asked for their pages at once, a webhook would wait for all of them. */
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
    // Its answer has no body that would ever end.
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
    // Messages that still wait, and a look that is under way, then find no stream.
    for (const readers of [streams, limited]) readers.clear();
  });
}
