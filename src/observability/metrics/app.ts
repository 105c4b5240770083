import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '../../base/logger.ts';
import { answerProblems, Problem } from '../../http/problem.ts';

export interface MetricsAppDeps {
  readonly contentType: string;
  readonly read: () => Promise<string>;
  /** Undefined if all roles of this process work. */
  readonly whyNotReady: () => Promise<string | undefined>;
  readonly logger: Pick<Logger, 'error'>;
}

/** Metrics and health of this process; the caller makes it listen. */
export function createMetricsApp({ contentType, read, whyNotReady, logger }: MetricsAppDeps): FastifyInstance {
  const app = fastify({ logger: false });
  answerProblems(app, { logger, failed: 'a request for metrics failed', notFound: 'There is no such address.' });
  app.get('/metrics', async (_request, reply) => reply.type(contentType).send(await read()));
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    const reason = await whyNotReady();
    if (reason !== undefined) throw new Problem(503, reason);
    return { status: 'ready' };
  });
  return app;
}
