import { createHmac } from 'node:crypto';
import { oneOrSeveral, signingSecret } from '../../forms/forms.ts';
import { duration } from '../../forms/numbers.ts';
import { createMatcher } from '../../http/credentials.ts';
import { defineScheme, type SignedHead } from './scheme.ts';

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
