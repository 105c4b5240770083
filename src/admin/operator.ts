import type { FastifyRequest } from 'fastify';

/** Header by which a client names the operator who uses it. */
export const OPERATOR_HEADER = 'x-operator';

/** Returns the name that a request gives its operator. Nobody verifies it; without a usable one, the API itself is named. */
export function operatorOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const name = headers[OPERATOR_HEADER];
  return typeof name === 'string' && /^[\w.@-]{1,100}$/.test(name) ? name : 'the administrative API';
}
