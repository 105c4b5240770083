import { createPublicKey, type KeyObject } from 'node:crypto';
import { request } from 'undici';

/** Where the warehouse's public key comes from. */
export interface PublicKeySource {
  /** The key as it was last fetched, without asking. */
  current(): KeyObject | undefined;
  /** The key as it is now, or undefined when that cannot be known. Concurrent calls share one fetch. */
  newest(): Promise<KeyObject | undefined>;
}

/** The sender waits three seconds for its answer. */
const TIMEOUT_MS = 2000;

/** Far more than any key needs. */
const ANSWER_LIMIT = 65_536;

/** How soon a fetch that failed may be tried again, in milliseconds: until it succeeds, no delivery can be verified. */
const FAILED_REFETCH_MS = 500;

/** The key of `GET {baseUrl}/events/webhook/key`, fetched at most once in `refetchAfterMs`. */
export function createPublicKeySource({
  baseUrl,
  refetchAfterMs = 5000,
  now = Date.now,
}: {
  readonly baseUrl: string;
  readonly refetchAfterMs?: number;
  readonly now?: () => number;
}): PublicKeySource {
  const url = `${baseUrl.replace(/\/+$/, '')}/events/webhook/key`;
  let key: KeyObject | undefined;
  let failed = false;
  let last: { readonly at: number; readonly outcome: Promise<KeyObject | undefined> } | undefined;

  async function refetch(): Promise<KeyObject | undefined> {
    try {
      const fetched = parseKey(await fetchText(url));
      // The same key stays the same object, so that nothing is verified twice with it.
      if (!key?.equals(fetched)) key = fetched;
      failed = false;
      return key;
    } catch {
      failed = true;
      return undefined;
    }
  }

  return {
    current: () => key,
    newest() {
      const waitMs = failed ? Math.min(FAILED_REFETCH_MS, refetchAfterMs) : refetchAfterMs;
      if (!last || now() - last.at >= waitMs) last = { at: now(), outcome: refetch() };
      return last.outcome;
    },
  };
}

async function fetchText(url: string): Promise<string> {
  const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_LIMIT) throw new Error('The answer is too long for a key');
    chunks.push(chunk);
  }
  if (statusCode !== 200) throw new Error(`The key was answered with ${statusCode}`);
  return Buffer.concat(chunks).toString();
}

function parseKey(text: string): KeyObject {
  const { publicKey } = JSON.parse(text) as { readonly publicKey: string };
  const key = createPublicKey(publicKey);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('The key is not an RSA key');
  return key;
}
