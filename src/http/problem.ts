import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from '../base/logger.ts';

interface ProblemOptions {
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The client gets the message as the detail. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, detail: string, { headers = {}, ...options }: ProblemOptions = {}) {
    super(detail, options);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

/** @throws Problem 404 if it is nothing */
export function found<T>(value: T | undefined, message = 'It does not exist, or it was purged.'): T {
  if (value === undefined) throw new Problem(404, message);
  return value;
}

export const PROBLEM_TYPE = 'application/problem+json';

/** Node still has the name that 413 had before RFC 9110. */
const titles: typeof STATUS_CODES = { ...STATUS_CODES, 413: 'Content Too Large' };

function problemBody({ statusCode: status, message: detail }: Problem): string {
  return JSON.stringify({ type: 'about:blank', title: titles[status], status, detail });
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(problem.statusCode).headers(problem.headers).type(PROBLEM_TYPE).send(problemBody(problem));
}

export function statusOf(error: unknown): number {
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
}

interface ProblemAnswers {
  readonly logger: Pick<Logger, 'error'>;
  readonly failed: string;
  readonly notFound: string;
  /** Such an error is the caller's, who gets its message. */
  readonly isRefusal?: (error: unknown) => error is Error;
}

export function answerProblems(app: FastifyInstance, { logger, failed, notFound, isRefusal }: ProblemAnswers): void {
  app.setErrorHandler((error, _request, reply) => {
    const problem = isRefusal?.(error) ? new Problem(400, error.message) : toProblem(error);
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
