import type { z } from 'zod';

/** For issues without a message of their own. Gives no value. */
export function formatIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nameOf[issue.expected] ?? issue.expected}`;
    case 'invalid_union':
      return issue.discriminator ? `must be one of ${namesIn(issue.options)}` : undefined;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      return `must ${bound(issue.origin, `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`)}`;
    case 'too_big':
      return `must ${bound(issue.origin, `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`)}`;
    default:
      return undefined;
  }
}

const namesIn = (options: unknown): string => (options as readonly unknown[]).filter(Boolean).join(', ');

const nameOf: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
};

/** Characters of a text, entries of a list, or a number itself. */
function bound(origin: string, limit: string): string {
  if (origin === 'string') return `have ${limit} characters`;
  return origin === 'array' ? `have ${limit} entries` : `be ${limit}`;
}
