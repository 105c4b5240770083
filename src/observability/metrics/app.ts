import fastify, { type FastifyInstance } from 'fastify';
import { Problem, sendProblem, statusOf } from '../../http/problem.ts';
import type { Logger } from '../logger.ts';

/** Dependencies of the metrics server. */
export interface MetricsAppDeps {
  /** Media type of the metrics. */
  readonly contentType: string;
  /** Returns all metrics as text. */
  readonly read: () => Promise<string>;
  /** Reports whether every role of this process works. */
  readonly isReady: () => Promise<boolean>;
  readonly logger: Pick<Logger, 'error'>;
}

/** Creates the server of the metrics and of the health of this process; the caller makes it listen. */
export function createMetricsApp({ contentType, read, isReady, logger }: MetricsAppDeps): FastifyInstance {
  const app = fastify({ logger: false });
  app.setErrorHandler((error, _request, reply) => {
    const problem = toProblem(error);
    if (problem.statusCode === 500) logger.error({ err: error }, 'a request for metrics failed');
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new Problem(404, 'There is no such address.')));
  app.get('/metrics', async (_request, reply) => reply.type(contentType).send(await read()));
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    if (!(await isReady())) throw new Problem(503, 'A role of this process does not work yet, or no longer.');
    return { status: 'ready' };
  });
  return app;
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = statusOf(error);
  if (status >= 400 && status < 500) return new Problem(status, 'The request cannot be read.');
  return new Problem(500, 'The request failed; the log says why.');
}
