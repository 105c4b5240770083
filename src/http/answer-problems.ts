import type { FastifyInstance } from 'fastify';
import type { Logger } from '../observability/logger.ts';
import { Problem, sendProblem, statusOf } from './problem.ts';

/** Texts of a server's problems, and its own failures that are the caller's. */
export interface ProblemAnswers {
  readonly logger: Pick<Logger, 'error'>;
  /** Line of the log for a failure of ours. */
  readonly failed: string;
  /** Detail for an unknown address. */
  readonly notFound: string;
  /** Reports whether an error is the caller's, who then gets its message. */
  readonly isRefusal?: (error: unknown) => error is Error;
}

/** Answers errors and unknown addresses with problems, and logs those that are failures of ours. */
export function answerProblems(
  app: FastifyInstance,
  { logger, failed, notFound, isRefusal = (_error): _error is Error => false }: ProblemAnswers,
): void {
  app.setErrorHandler((error, _request, reply) => {
    const problem = isRefusal(error) ? new Problem(400, error.message) : toProblem(error);
    if (problem.statusCode === 500) logger.error({ err: error }, failed);
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new Problem(404, notFound)));
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = statusOf(error);
  if (status >= 400 && status < 500) return new Problem(status, 'The request cannot be read.');
  return new Problem(500, 'The request failed; the log says why.');
}
