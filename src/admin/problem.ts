import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { DocklineError } from '../domain/errors.ts';

/** A refusal on its way to becoming an answer; its message is for the caller. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly statusCode: number;

  constructor(statusCode: number, detail: string) {
    super(detail);
    this.statusCode = statusCode;
  }
}

/** The media type of a problem (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** The body of an answer with that status (RFC 9457). */
export function problemBody({ statusCode: status, message: detail }: Problem): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail });
}

/** Anything that was thrown on the way as a problem; what is not the caller's, or another side's, is a failure of ours. */
export function toProblem(error: unknown, isOutage: (error: unknown) => boolean): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof z.ZodError) return new Problem(400, error.issues.map(describe).join('; '));
  if (error instanceof DocklineError && error.code === 'ERR_STORE_UNAVAILABLE') {
    return new Problem(503, 'The store cannot be reached now.');
  }
  if (isOutage(error)) return new Problem(503, 'Temporal does not answer now.');
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return new Problem(status, (error as Error).message);
  return new Problem(500, 'The request failed; the log says why.');
}

const describe = ({ path, message }: z.core.$ZodIssue): string =>
  path.length > 0 ? `${path.join('.')}: ${message}` : message;
