import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { duration, HEADER_NAME, oneOrSeveral, signingSecret } from '../../forms/forms.ts';
import { createMatcher, readCredentials } from '../../http/credentials.ts';
import { decidedByHead, defineScheme, type SignedHead, secret } from './scheme.ts';

const [ID, TIMESTAMP, SIGNATURE] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * HMAC-SHA256 over `webhook-id`, `webhook-timestamp` and the raw bytes. One `v1` signature in `webhook-signature` by
 * any of the secrets is enough.
 */
export const standardWebhooks = defineScheme({
  verifies: 'signatures of Standard Webhooks',
  settings: {
    secret: oneOrSeveral(signingSecret).describe(
      'The signing secret (whsec_ and base64), or several while one is replaced.',
    ),
    toleranceMs: duration(1)
      .default(300_000)
      .describe('standard-webhooks: largest difference between the timestamp of a delivery and now, in ms.'),
  },
  createHeadCheck:
    ({ toleranceMs }) =>
    ({ header }) =>
      readSigned(header, toleranceMs, Date.now()) !== undefined,
  createVerifier({ secret: secrets, toleranceMs }, { now = Date.now }) {
    const keys = secrets.map((one) => Buffer.from(one.replace(/^whsec_/, ''), 'base64'));
    return async ({ header, body }) => {
      const signed = readSigned(header, toleranceMs, now());
      if (!signed) return 'refused';
      const sign = (key: Buffer) => createHmac('sha256', key).update(signed.prefix).update(body).digest('base64');
      const isGood = createMatcher(keys.map((key) => `v1,${sign(key)}`));
      return signed.signatures.some(isGood) ? 'authentic' : 'refused';
    };
  },
});

/** Undefined if a header is missing or malformed, or the timestamp is too far from now. */
function readSigned(
  header: SignedHead['header'],
  toleranceMs: number,
  now: number,
): { readonly prefix: Buffer; readonly signatures: readonly string[] } | undefined {
  const [id, timestamp, all] = [ID, TIMESTAMP, SIGNATURE].map(header);
  if (!id || !all || !/^\d{1,12}$/.test(timestamp ?? '')) return undefined;
  if (Math.abs(now - Number(timestamp) * 1000) > toleranceMs) return undefined;
  const signatures = all.split(' ').filter((one) => /^v1,[\w+/]{43}=$/.test(one));
  // A header's text has one character for each of its bytes.
  return signatures.length > 0 ? { prefix: Buffer.from(`${id}.${timestamp}.`, 'latin1'), signatures } : undefined;
}

/** HMAC-SHA256 over the raw bytes, in a header of any name: in hexadecimal of either case or base64, after a prefix such as `sha256=`. */
export const hmacSha256 = defineScheme({
  verifies: 'an HMAC over the body in a header',
  settings: {
    secret: oneOrSeveral(secret).describe(
      'hmac-sha256 (as text) and standard-webhooks (whsec_ and base64): the signing secret, or several while one is replaced.',
    ),
    /** Verifiers look headers up in lower case. */
    header: z
      .string()
      .regex(HEADER_NAME, "must be a header's name")
      .toLowerCase()
      .describe('hmac-sha256: the header with the signature.'),
    encoding: z
      .enum(['hex', 'base64'])
      .default('hex')
      .describe('hmac-sha256: the encoding of the signature, hex or base64.'),
    prefix: z
      .string()
      .regex(/^[\x21-\x7e]*$/, 'must be of printable characters without spaces')
      .default('')
      .describe('hmac-sha256: the text before the signature in its header, such as sha256=.'),
  },
  createHeadCheck({ header: name, encoding, prefix }) {
    const form = encoding === 'hex' ? /^([\da-f]{64}|[\dA-F]{64})$/ : /^[\w+/]{43}=$/;
    return ({ header }) => {
      const offered = header(name);
      return offered?.startsWith(prefix) === true && form.test(offered.slice(prefix.length));
    };
  },
  createVerifier:
    ({ secret: secrets, header: name, encoding, prefix }) =>
    async ({ header, body }) => {
      const offered = header(name);
      if (offered === undefined) return 'refused';
      const signatures = secrets.map((one) => createHmac('sha256', one).update(body).digest(encoding));
      const written = encoding === 'hex' ? signatures.flatMap((one) => [one, one.toUpperCase()]) : signatures;
      return createMatcher(written.map((one) => prefix + one))(offered) ? 'authentic' : 'refused';
    },
});

/** Shared secret as `?token=` or `Authorization: Bearer`. If several are sent, each has to be right. */
export const token = defineScheme({
  verifies: '?token= or a bearer token',
  settings: {
    token: oneOrSeveral(secret).describe(
      'token: the value of ?token= or of a bearer token, or several while one is replaced.',
    ),
  },
  challenge: 'Bearer realm="webhook"',
  ...decidedByHead(({ token: tokens }: { readonly token: readonly string[] }) => {
    const isAccepted = createMatcher(tokens);
    return ({ header, url }) => {
      const bearer = readCredentials('Bearer', header('authorization'));
      // A token has no blanks, for which a plus stands in a query.
      const query = new URLSearchParams(/\?(.*)/s.exec(url)?.[1]?.replaceAll('+', '%2B'));
      const offered = [...query.getAll('token'), ...(bearer ? [bearer] : [])];
      return offered.length > 0 && offered.every(isAccepted);
    };
  }),
});

/** RFC 7617, in UTF-8, for one user. */
export const basic = defineScheme({
  verifies: 'HTTP Basic',
  settings: {
    /** A user name ends at the first colon. */
    user: z
      .string()
      .regex(/^[^:\p{Cc}]+$/u, 'must be a name without a colon')
      .describe('basic: the user.'),
    password: oneOrSeveral(secret).describe('basic: the password, or several while one is replaced.'),
  },
  challenge: 'Basic realm="webhook", charset="UTF-8"',
  ...decidedByHead(({ user, password }: { readonly user: string; readonly password: readonly string[] }) => {
    // Encoded credentials are compared: there is one encoding of each, and nothing received has to be decoded.
    const isAccepted = createMatcher(password.map((one) => Buffer.from(`${user}:${one}`).toString('base64')));
    return ({ header }) => {
      const credentials = readCredentials('Basic', header('authorization'));
      return credentials !== undefined && isAccepted(credentials);
    };
  }),
});
