import { createHmac, createSecretKey } from 'node:crypto';
import type { Tracing } from '../domain/tracing.ts';

interface Signed {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: Uint8Array;
}

/** Standard Webhooks: HMAC-SHA256 over `id.timestamp.body` for each secret (`whsec_<base64>`), of which a receiver needs one. */
export function createSigner(secrets: readonly string[]): (message: Signed) => string {
  // Reusing the keys saves four fifths of the time that a signature takes.
  const keys = secrets.map((secret) => createSecretKey(secret.replace(/^whsec_/, ''), 'base64'));
  return ({ id, timestamp, body }) =>
    keys
      .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`)
      .join(' ');
}

interface Signing {
  readonly sign: ReturnType<typeof createSigner> | undefined;
  readonly timestamp: number;
  readonly tracing?: Tracing | undefined;
}

export function signedHeaders(
  { id, isReplay }: { readonly id: string; readonly isReplay?: boolean },
  body: Buffer,
  { sign, timestamp, tracing }: Signing,
): Readonly<Record<string, string>> {
  const traceparent = tracing?.current();
  return {
    ...(sign && {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign({ id, timestamp, body }),
    }),
    ...(traceparent !== undefined && { traceparent }),
    ...(isReplay && { 'dockline-replay': 'true' }),
  };
}
