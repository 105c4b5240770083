import { isObject } from '../../domain/json.ts';

/** Claims that tell an operator whom a token is for; their names are guesses, since none is documented. */
const telling = /tpl|tenant|third.?party|customer|facility|role|scope|permission|user|login|^(iss|aud|sub|client_id)$/i;

/** Describes a bearer token without revealing it: what its claims say if it is a JSON Web Token (RFC 7519), else that it is opaque. */
export function describeClaims(token: string, now = Date.now()): string {
  const claims = claimsOf(token);
  if (!claims) return 'opaque, so it does not say what it is for';
  const shown = Object.entries(claims)
    .filter(([name]) => telling.test(name))
    .map(([name, value]) => `${name} ${textOf(value)}`);
  return ['a JSON Web Token', ...shown, expiry(claims.exp, now)].filter(Boolean).join(', ');
}

function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload = '', ...rest] = token.split('.');
  if (rest.length !== 1) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Longest text of a claim. */
const LIMIT = 200;

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replace(/[^\x20-\x7e]/g, '?').slice(0, LIMIT);

function expiry(exp: unknown, now: number): string {
  if (typeof exp !== 'number') return '';
  const minutes = Math.round((exp * 1000 - now) / 60_000);
  return minutes > 0 ? `expires in ${minutes} minutes` : `expired ${-minutes} minutes ago by this machine's clock`;
}
