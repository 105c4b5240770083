import { z } from 'zod';
import { formatIssue } from '../base/issue.ts';
import { isStoreFailure } from '../domain/errors.ts';
import { Problem, statusOf } from '../http/problem.ts';

export function toProblem(error: unknown, isOutage: (error: unknown) => boolean): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof z.ZodError) return new Problem(400, error.issues.map(wordIssue).join('; '));
  if (isStoreFailure(error)) return new Problem(503, 'The store cannot be reached now.');
  if (isOutage(error)) return new Problem(503, 'Temporal does not answer now.');
  const status = statusOf(error);
  if (status >= 400 && status < 500) return new Problem(status, (error as Error).message);
  return new Problem(500, 'The request failed; the log says why.');
}

/** `q must not be empty`. Texts of our own begin with `must`, the validator's do not. */
function wordIssue(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => [...path, key].join('.'));
    return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not known`;
  }
  const said = message.startsWith('must ') ? message : (formatIssue(issue as z.core.$ZodRawIssue) ?? 'cannot be read');
  return `${path.join('.') || 'the body'} ${said}`;
}
