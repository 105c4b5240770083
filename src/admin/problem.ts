import { z } from 'zod';
import { DocklineError } from '../domain/errors.ts';
import { Problem, statusOf } from '../http/problem.ts';

/** Anything that was thrown on the way as a problem; what is not the caller's, or another side's, is a failure of ours. */
export function toProblem(error: unknown, isOutage: (error: unknown) => boolean): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof z.ZodError) return new Problem(400, error.issues.map(describe).join('; '));
  if (error instanceof DocklineError && error.code === 'ERR_STORE_UNAVAILABLE') {
    return new Problem(503, 'The store cannot be reached now.');
  }
  if (isOutage(error)) return new Problem(503, 'Temporal does not answer now.');
  const status = statusOf(error);
  if (status >= 400 && status < 500) return new Problem(status, (error as Error).message);
  return new Problem(500, 'The request failed; the log says why.');
}

const describe = ({ path, message }: z.core.$ZodIssue): string =>
  path.length > 0 ? `${path.join('.')}: ${message}` : message;
