import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { createMatcher } from '../../http/credentials.ts';
import { defineScheme, oneOrSeveral } from './scheme.ts';

/** Form of a secret of Standard Webhooks. */
export const signingSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in base64');

const [ID, TIMESTAMP, SIGNATURE] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Standard Webhooks: HMAC-SHA256 over `webhook-id`, `webhook-timestamp` and the raw bytes. `webhook-signature` has one or more
 * signatures; one of version `v1` by any of the secrets is enough.
 */
export const standardWebhooks = defineScheme({
  settings: {
    secret: oneOrSeveral(signingSecret),
    /** Maximum distance of the timestamp from now, in milliseconds. */
    toleranceMs: z.coerce.number('must be a number').int().positive('must be more than 0'),
  },
  createVerifier({ secret: secrets, toleranceMs }, { now = Date.now }) {
    const keys = secrets.map((one) => Buffer.from(one.replace(/^whsec_/, ''), 'base64'));
    return async ({ header, body }) => {
      const [id, timestamp, signatures] = [ID, TIMESTAMP, SIGNATURE].map(header);
      if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? '')) return 'refused';
      if (Math.abs(now() - Number(timestamp) * 1000) > toleranceMs) return 'refused';
      // A header's text has one character for each of its bytes.
      const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'latin1'), body]);
      const isGood = createMatcher(
        keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`),
      );
      return signatures.split(' ').some(isGood) ? 'authentic' : 'refused';
    };
  },
});
