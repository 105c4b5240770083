import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';

/** A request that is refused; the client gets its message as the detail, and its headers. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: number,
    detail: string,
    {
      headers = {},
      ...options
    }: { readonly cause?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail, options);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

/** Returns what was found. @throws Problem with the status 404 if it is nothing */
export function found<T>(value: T | undefined, message = 'It does not exist, or it was purged.'): T {
  if (value === undefined) throw new Problem(404, message);
  return value;
}

/** Media type of a problem (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** Node still has the name that 413 had before RFC 9110. */
const titles: typeof STATUS_CODES = { ...STATUS_CODES, 413: 'Content Too Large' };

/** Serializes a problem (RFC 9457). */
export function problemBody({ statusCode: status, message: detail }: Problem): string {
  return JSON.stringify({ type: 'about:blank', title: titles[status], status, detail });
}

/** Answers a request with a problem. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(problem.statusCode).headers(problem.headers).type(PROBLEM_TYPE).send(problemBody(problem));
}

/** Status that an error carries, as Fastify's errors do; 500 for any other. */
export function statusOf(error: unknown): number {
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
}
