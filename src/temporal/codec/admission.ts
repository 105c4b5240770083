import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a request with this `Authorization` may be answered. */
export type Admission = (authorization: string | undefined) => boolean;

/** Admits who shows the token, as `Bearer` or as the password of `Basic` with any name; compared in constant time. */
export function admitByToken(token: string): Admission {
  const expected = digest(token);
  return (authorization = '') => timingSafeEqual(digest(tokenOf(authorization)), expected);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function tokenOf(authorization: string): string {
  const [, scheme = '', credentials = ''] = /^(Bearer|Basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return credentials;
  return Buffer.from(credentials, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
}
