import { generateKeyPairSync, sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** Message to one destination. Its bytes never change. */
export interface Message {
  readonly destination: string;
  readonly body: Buffer;
  /** Called when the destination has accepted it. */
  readonly onAccepted?: () => void;
}

/** Delivery in progress. */
interface Delivery {
  /** Settles after the first attempt of every message. */
  readonly tried: Promise<unknown>;
  /** Statuses of the last attempts, null for no answer; settles when every message is accepted or given up. */
  readonly settled: Promise<readonly (number | null)[]>;
}

/** Counts of attempts. */
export interface SenderCounts {
  /** HTTP requests, each attempt counted. */
  readonly sent: number;
  /** HTTP requests by the status that answered them, or `none`. */
  readonly answered: Readonly<Record<string, number>>;
  /** Messages that were given up. */
  readonly undelivered: number;
}

/** Sends messages until they are accepted, as the real sender does. */
export type Sender = ReturnType<typeof createSender>;

/** Time within which a destination must answer, in milliseconds. */
const TIMEOUT_MS = 3_000;
/** Number of attempts: 6 hours at the real interval of 15 minutes. */
const ATTEMPTS = 24;

/** Reports whether a status is one of the 20x that the sender waits for. */
export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 210;
}

/** `signal` aborts the waits between attempts, `close` the attempts. */
export function createSender(options: {
  readonly sign: (body: Buffer) => string;
  readonly retryIntervalMs: number;
  /** Time within which a destination must answer, in milliseconds. Default: that of the real sender. */
  readonly answerWithinMs?: number | undefined;
  readonly signal: AbortSignal;
}) {
  const { answerWithinMs = TIMEOUT_MS } = options;
  const dispatcher = new Agent();
  const answered: Record<string, number> = {};
  let undelivered = 0;

  const attempt = async ({ destination, body, onAccepted }: Message): Promise<number | null> => {
    const limit = AbortSignal.timeout(answerWithinMs);
    const status = await post(destination, body, { signature: options.sign(body), dispatcher, limit });
    const key = String(status ?? 'none');
    answered[key] = (answered[key] ?? 0) + 1;
    if (isAccepted(status)) onAccepted?.();
    return status;
  };
  const retry = async (message: Message, first: Promise<number | null>): Promise<number | null> => {
    let status = await first;
    for (let made = 1; made < ATTEMPTS && !isAccepted(status); made += 1) {
      if (!(await pause(options.retryIntervalMs, options.signal))) break;
      status = await attempt(message);
    }
    if (!isAccepted(status)) undelivered += 1;
    return status;
  };
  const tryAll = async (messages: readonly Message[]) => {
    const last: Promise<number | null>[] = [];
    for (const message of messages) {
      const first = attempt(message);
      last.push(retry(message, first));
      await first;
    }
    return last;
  };
  return {
    /** Sends messages one after another, and each again until it is accepted or given up. */
    send(messages: readonly Message[]): Delivery {
      const tried = tryAll(messages);
      return { tried, settled: tried.then((last) => Promise.all(last)) };
    },
    counts: (): SenderCounts => ({
      sent: Object.values(answered).reduce((sum, count) => sum + count, 0),
      answered: { ...answered },
      undelivered,
    }),
    /** Aborts all attempts. */
    close: () => dispatcher.destroy(),
  };
}

/** Waits. Resolves with false if the signal ended the wait. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (ms <= 0) return !signal.aborted;
  return await sleep(ms, true, { signal }).catch(() => false);
}

interface PostOptions {
  readonly signature: string;
  readonly dispatcher: Agent;
  readonly limit: AbortSignal;
}

async function post(
  url: string,
  body: Buffer,
  { signature, dispatcher, limit: signal }: PostOptions,
): Promise<number | null> {
  const headers = { 'content-type': 'application/json; charset=utf-8', signature };
  try {
    const response = await request(url, { method: 'POST', headers, body, dispatcher, signal });
    await response.body.dump().catch(() => undefined);
    return response.statusCode;
  } catch {
    // A refused connection, a timeout and a reset are the same to the sender: no 20x came.
    return null;
  }
}

/** Key that signs deliveries. */
export type SigningKey = ReturnType<typeof createSigningKey>;

const generate = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** First key of every simulator of this process, since a key takes some 50 ms of CPU. */
let first: ReturnType<typeof generate> | undefined;

export function createSigningKey() {
  first ??= generate();
  let key = first;
  return {
    /** Returns the Base64 of RSA-SHA256 (PKCS#1 v1.5) over the bytes. */
    sign: (bytes: Buffer) => sign('RSA-SHA256', bytes, key.privateKey).toString('base64'),
    publicKey: () => key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    /** Replaces the key; earlier signatures no longer verify. */
    rotate: () => {
      key = generate();
    },
  };
}
