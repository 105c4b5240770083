import { createHmac } from 'node:crypto';
import { createMatcher } from '../../http/credentials.ts';
import type { Verifier } from './verifier.ts';

/**
 * A verifier of Standard Webhooks: `webhook-signature` has one or more signatures, of which those of the version `v1` are
 * HMAC-SHA256 over `webhook-id`, `webhook-timestamp` and the raw bytes. Any of them may be by any of the secrets.
 */
export function createStandardWebhooksVerifier({
  secret,
  toleranceMs,
  now = Date.now,
}: {
  /** Each `whsec_` and base64. */
  readonly secret: readonly string[];
  /** How far from now the timestamp may be. */
  readonly toleranceMs: number;
  readonly now?: () => number;
}): Verifier {
  const keys = secret.map((one) => Buffer.from(one.replace(/^whsec_/, ''), 'base64'));
  return async ({ header, body }) => {
    const [id, timestamp, signatures] = [ID, TIMESTAMP, SIGNATURE].map(header);
    if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? '')) return 'refused';
    if (Math.abs(now() - Number(timestamp) * 1000) > toleranceMs) return 'refused';
    // A header's text has a character for each of its bytes.
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'latin1'), body]);
    const isGood = createMatcher(keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`));
    return signatures.split(' ').some(isGood) ? 'authentic' : 'refused';
  };
}

const ID = 'webhook-id';
const TIMESTAMP = 'webhook-timestamp';
const SIGNATURE = 'webhook-signature';
