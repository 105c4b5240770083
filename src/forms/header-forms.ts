import { z } from 'zod';
import { isDistinct } from './forms.ts';

/** RFC 9110, section 5.6.2. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Dockline sets them itself, or they belong to the connection. */
const RESERVED =
  /^(?:connection|content-(?!type$).+|expect|host|keep-alive|proxy-.+|te|traceparent|trailer|transfer-encoding|upgrade|(?:ce|dockline|webhook)-.+)$/i;

/** In characters, all together: servers refuse requests with more than 8 KB or 16 KB of headers. */
const HEADERS_LIMIT = 4096;

/** Names become lower case. */
export const headersForm = z
  .record(z.string(), z.string())
  .superRefine((given, { addIssue }) => {
    const refuse = (message: string, ...path: string[]) => addIssue({ code: 'custom', path, message });
    for (const [name, value] of Object.entries(given)) {
      const problem = headerProblem(name, value);
      if (problem) refuse(problem, name);
    }
    if (!isDistinct(Object.keys(given).map((name) => name.toLowerCase()))) refuse('must set each name once');
    if (Object.entries(given).flat().join('').length > HEADERS_LIMIT)
      refuse(`must have at most ${HEADERS_LIMIT} characters in all`);
  })
  .transform((given) => Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])));

function headerProblem(name: string, value: string): string | undefined {
  if (!HEADER_NAME.test(name)) return "must be a header's name";
  if (RESERVED.test(name)) return 'is reserved for Dockline and the connection';
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
    ? undefined
    : 'must have a value of printable ASCII, without line breaks';
}
