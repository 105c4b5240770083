import { z } from 'zod';
import { isStoreFailure } from '../domain/errors.ts';
import { Problem, statusOf } from '../http/problem.ts';

export function toProblem(error: unknown, isOutage: (error: unknown) => boolean): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof z.ZodError) return new Problem(400, error.issues.map(formatIssue).join('; '));
  if (isStoreFailure(error)) return new Problem(503, 'The store cannot be reached now.');
  if (isOutage(error)) return new Problem(503, 'Temporal does not answer now.');
  const status = statusOf(error);
  if (status >= 400 && status < 500) return new Problem(status, (error as Error).message);
  return new Problem(500, 'The request failed; the log says why.');
}

/** `q must not be empty`. Texts of our own begin with `must`, the validator's do not. */
function formatIssue(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => [...path, key].join('.'));
    return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not known`;
  }
  return `${path.join('.') || 'the body'} ${message.startsWith('must ') ? message : requirementOf(issue)}`;
}

function requirementOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nameOf[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'invalid_union':
      return `must be one of ${'options' in issue ? [issue.options].flat().join(', ') : 'the known forms'}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' ? `must have at most ${issue.maximum} characters` : 'is too large';
    default:
      return 'cannot be read';
  }
}

const nameOf: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
};
