import { createPublicKey, type KeyObject } from 'node:crypto';
import { memberOf } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { atMostEvery } from '../../base/loop.ts';
import { standardPaths } from '../../domain/catalogue/operation.ts';
import { readBody, UNCOMPRESSED } from '../../http/charset.ts';
import type { Proxies } from '../../http/proxies.ts';

interface PublicKeySource {
  /** Newest first. */
  keys(): readonly KeyObject[];
  /** Reports whether the keys are as the warehouse has had them since the call: look-ups are rare, and fail. */
  lookUp(): Promise<boolean>;
}

/** The sender of a webhook waits three seconds for its answer. */
const TIMEOUT_MS = 2000;

const ANSWER_LIMIT = 65_536;

/** Interval of look-ups while no delivery can be verified. */
const FIRST_LOOKUP_MS = 500;

/** A flood of bad signatures must not become a flood of look-ups. */
const LOOKUP_MS = 5000;

/** Between log lines of failures. */
const LOG_MS = 60_000;

/** The previous key stays good for so long after a rotation: the sender repeats for six hours what it has signed. */
const GRACE_MS = 21_600_000;

export function pinKeys(pems: readonly string[]): PublicKeySource {
  const keys = pems.map(parsePublicKey);
  return { keys: () => keys, lookUp: async () => true };
}

interface PublishedKeyOptions {
  readonly baseUrl: string;
  /** Below the base address. */
  readonly keyPath?: string | undefined;
  readonly proxies?: Proxies | undefined;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now?: (() => number) | undefined;
}

/** Published at `GET {baseUrl}{keyPath}`. */
export function createPublicKeySource({
  baseUrl,
  keyPath,
  proxies,
  logger,
  now = () => performance.now(),
}: PublishedKeyOptions): PublicKeySource {
  const url = addressOf({ baseUrl, keyPath });
  let newest: KeyObject | undefined;
  let previous: { readonly key: KeyObject; readonly until: number } | undefined;
  let last: { readonly at: number; readonly outcome: Promise<boolean> } | undefined;
  const warn = atMostEvery(
    LOG_MS,
    (err: unknown) =>
      logger.warn({ err, url }, "the warehouse's public key cannot be had; webhooks that need it are answered 503"),
    now,
  );

  function accept(fetched: KeyObject): void {
    // An unchanged key stays the same object, so that no signature is verified twice with it.
    if (newest?.equals(fetched)) return;
    if (newest) {
      previous = { key: newest, until: now() + GRACE_MS };
      logger.warn({ url }, 'the warehouse rotated its public key');
    }
    newest = fetched;
  }

  async function fetchKey(): Promise<boolean> {
    try {
      accept(await fetchPublicKey({ baseUrl, keyPath, proxies }));
      return true;
    } catch (err) {
      warn(err);
      return false;
    }
  }

  return {
    keys() {
      if (!newest) return [];
      return previous && now() < previous.until ? [newest, previous.key] : [newest];
    },
    async lookUp() {
      const isDue = !last || now() - last.at >= (newest ? LOOKUP_MS : FIRST_LOOKUP_MS);
      if (!last || isDue) last = { at: now(), outcome: fetchKey() };
      return (await last.outcome) && isDue;
    },
  };
}

type PublishedKey = Pick<PublishedKeyOptions, 'baseUrl' | 'keyPath' | 'proxies'>;

const addressOf = ({ baseUrl, keyPath = standardPaths.webhookKey }: PublishedKey): string =>
  `${baseUrl.replace(/(?<!\/)\/+$/, '')}${keyPath}`;

/** @throws Error that says why there is none */
export const fetchPublicKey = async (published: PublishedKey): Promise<KeyObject> =>
  parseAnswer(await fetchText(addressOf(published), published.proxies));

async function fetchText(url: string, proxies: Proxies | undefined): Promise<string> {
  // Imported on demand: every command loads the table of schemes with its configuration.
  const { createAgent } = await import('../../http/agent.ts');
  const { origin, pathname, search } = new URL(url);
  const answer = await createAgent({ proxies }).request({
    origin,
    path: pathname + search,
    method: 'GET',
    headers: UNCOMPRESSED,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { statusCode } = answer;
  const bytes = await readBody(answer, ANSWER_LIMIT);
  if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
  return bytes.toString();
}

function parseAnswer(text: string): KeyObject {
  const pem = memberOf(/^\s*\{/.test(text) ? JSON.parse(text) : undefined, 'publickey');
  if (typeof pem !== 'string') throw new Error('answered 200, without a key that can be used');
  return parsePublicKey(pem);
}

/** Smaller RSA keys can be factored (NIST SP 800-131A). */
const MINIMUM_BITS = 2048;

/** @throws Error for a text that is no RSA public key in PEM, or has fewer than 2,048 bits */
export function parsePublicKey(pem: string): KeyObject {
  const key = createPublicKey(pem);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('the key is not an RSA key');
  const { modulusLength: bits = 0 } = key.asymmetricKeyDetails ?? {};
  if (bits < MINIMUM_BITS) throw new Error(`the RSA key has ${bits} bits; at least ${MINIMUM_BITS} are required`);
  return key;
}
