import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { AnnouncementError } from './announcement-error.ts';
import { headersOf, type RequestHeaders, signaturesIn } from './headers.ts';

export interface VerifierOptions {
  /** Secrets that may have signed: `whsec_<base64>`. While one is replaced, name the old and the new. */
  readonly secrets: readonly string[];
  /** Allowed difference between an announcement's timestamp and now, in milliseconds. Default: five minutes. */
  readonly toleranceMs?: number | undefined;
  /** Returns the time, in milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** Verifies that Dockline sent these bytes just now; throws an `AnnouncementError` otherwise. */
export type Verifier = (headers: RequestHeaders, body: Uint8Array) => void;

/** Creates a verifier of Standard Webhooks signatures (`v1`). Throws a `TypeError` for a secret of another form, without showing it. */
export function createVerifier({ secrets = [], toleranceMs = 300_000, now = Date.now }: VerifierOptions): Verifier {
  if (secrets.length === 0) throw new TypeError('no secret is given, so nothing can be verified');
  const keys = secrets.map(readSecret);

  return (headers, body) => {
    const given = headersOf(headers);
    const id = headerIn(given, 'webhook-id');
    const timestamp = headerIn(given, 'webhook-timestamp');
    const signatures = signaturesIn(headers);
    if (!signatures) throw new AnnouncementError('ERR_HEADERS', 'webhook-signature is absent');
    const isRecent = /^\d{1,12}$/.test(timestamp) && Math.abs(now() - Number(timestamp) * 1000) <= toleranceMs;
    if (!isRecent) {
      throw new AnnouncementError('ERR_TIMESTAMP', `webhook-timestamp is not within ${toleranceMs} ms of now`);
    }
    const expected = keys.map((key) => signatureOf(key, id, timestamp, body));
    if (!expected.some((one) => signatures.some((signature) => isSame(one, signature)))) {
      throw new AnnouncementError('ERR_SIGNATURE', 'webhook-signature was not made with any of the secrets');
    }
  };
}

/** Shortest key, in bytes, that Standard Webhooks allows. */
const MIN_KEY_BYTES = 24;

function readSecret(secret: string): KeyObject {
  // An unset variable is the most common of them.
  if (!secret) throw new TypeError('the secret is empty: set ANNOUNCE_SECRET');
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  if (key.length < MIN_KEY_BYTES) {
    throw new TypeError(`a secret is whsec_ and the base64 of at least ${MIN_KEY_BYTES} bytes`);
  }
  return createSecretKey(key);
}

function headerIn(headers: ReturnType<typeof headersOf>, name: string): string {
  const value = headers[name];
  if (value === undefined) throw new AnnouncementError('ERR_HEADERS', `${name} is absent, or there with two values`);
  return value;
}

function signatureOf(key: KeyObject, id: string, timestamp: string, body: Uint8Array): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/** Compares two texts in a time that does not depend on where they differ. */
function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
