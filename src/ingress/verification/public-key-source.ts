import { createPublicKey, type KeyObject } from 'node:crypto';

/** Source of the warehouse's public key. */
export interface PublicKeySource {
  /** Returns the key that was last fetched. */
  current(): KeyObject | undefined;
  /** Fetches the key, unless it was just fetched; undefined if that fails. Concurrent calls share one fetch. */
  newest(): Promise<KeyObject | undefined>;
}

/** The sender of a webhook waits three seconds for its answer. */
const TIMEOUT_MS = 2000;

/** Maximum size of an answer in bytes, far more than a key needs. */
const ANSWER_LIMIT = 65_536;

/** Minimum interval after a failed fetch, in milliseconds: until one succeeds, no delivery can be verified. */
const FAILED_REFETCH_MS = 500;

/** Minimum interval between fetches, in milliseconds: a flood of bad signatures must not become a flood of fetches. */
const REFETCH_MS = 5000;

/** Creates the source of the key that the warehouse publishes at `GET {baseUrl}/events/webhook/key`. */
export function createPublicKeySource({
  baseUrl,
  now = Date.now,
}: {
  readonly baseUrl: string;
  readonly now?: () => number;
}): PublicKeySource {
  const url = `${baseUrl.replace(/\/+$/, '')}/events/webhook/key`;
  let key: KeyObject | undefined;
  let failed = false;
  let last: { readonly at: number; readonly outcome: Promise<KeyObject | undefined> } | undefined;

  async function refetch(): Promise<KeyObject | undefined> {
    try {
      const fetched = parseKey(await fetchText(url));
      // An unchanged key stays the same object, so that no signature is verified twice with it.
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
      if (!last || now() - last.at >= (failed ? FAILED_REFETCH_MS : REFETCH_MS))
        last = { at: now(), outcome: refetch() };
      return last.outcome;
    },
  };
}

async function fetchText(url: string): Promise<string> {
  // Imported on demand: every command loads the table of schemes with its configuration.
  const { request } = await import('undici');
  const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_LIMIT) throw new Error('The answer is too large for a key');
    chunks.push(chunk);
  }
  if (statusCode !== 200) throw new Error(`The warehouse answered with status ${statusCode}`);
  return Buffer.concat(chunks).toString();
}

function parseKey(text: string): KeyObject {
  const { publicKey } = JSON.parse(text) as { readonly publicKey: string };
  const key = createPublicKey(publicKey);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('The key is not an RSA key');
  return key;
}
