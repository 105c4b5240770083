import { createHmac } from 'node:crypto';

/** What a signature covers. */
export interface Signed {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: Uint8Array;
}

/** Signs as Standard Webhooks do: `v1,` and the base64 of the HMAC-SHA256 over `id.timestamp.body`. Secret: `whsec_<base64>`. */
export function sign(secret: string, { id, timestamp, body }: Signed): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const code = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return `v1,${code}`;
}
