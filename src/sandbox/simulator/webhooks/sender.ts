import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** One message on its way to one destination; its bytes never change. */
export interface Message {
  readonly destination: string;
  readonly body: Buffer;
}

/** A message that is being sent. */
export interface Sending {
  /** Settles after the first attempt, whatever came of it. */
  readonly tried: Promise<unknown>;
  /** The last attempt's status, null where nothing answered; settles when it was accepted or given up. */
  readonly settled: Promise<number | null>;
}

/** What became of all attempts so far. */
export interface SenderCounts {
  /** HTTP requests, each attempt counted. */
  readonly sent: number;
  /** The same by what answered them: a status, or `none`. */
  readonly answered: Readonly<Record<string, number>>;
  /** Messages that were given up. */
  readonly undelivered: number;
}

/** Sends messages until they are accepted, as the real sender does. */
export interface Sender {
  send(message: Message): Sending;
  counts(): SenderCounts;
  /** Ends what is under way; no attempt is made after it. */
  close(): Promise<void>;
}

/** How long the sender waits for an answer. */
const TIMEOUT_MS = 3_000;
/** How often it tries: at the real interval of 15 minutes that is 6 hours. */
const ATTEMPTS = 24;

/** Whether a status is the 20x that the sender waits for. */
export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 210;
}

/** Opens a sender; `signal` ends the waits between attempts, `close` the attempts. */
export function createSender(options: {
  readonly sign: (body: Buffer) => string;
  readonly retryIntervalMs: number;
  readonly signal: AbortSignal;
}): Sender {
  const { signal } = options;
  const dispatcher = new Agent();
  const answered = new Map<string, number>();
  let undelivered = 0;

  const attempt = async ({ destination, body }: Message): Promise<number | null> => {
    const status = await post(destination, body, {
      dispatcher,
      signature: options.sign(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const key = String(status ?? 'none');
    answered.set(key, (answered.get(key) ?? 0) + 1);
    return status;
  };
  const settle = async (message: Message, first: Promise<number | null>): Promise<number | null> => {
    let status = await first;
    for (let made = 1; made < ATTEMPTS && !isAccepted(status); made += 1) {
      if (!(await pause(options.retryIntervalMs, signal))) break;
      status = await attempt(message);
    }
    if (!isAccepted(status)) undelivered += 1;
    return status;
  };
  return {
    send: (message) => {
      const first = attempt(message);
      return { tried: first, settled: settle(message, first) };
    },
    counts: () => ({
      sent: [...answered.values()].reduce((sum, count) => sum + count, 0),
      answered: Object.fromEntries(answered),
      undelivered,
    }),
    close: () => dispatcher.destroy(),
  };
}

/** Waits; false where the signal ended the wait. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (ms <= 0) return !signal.aborted;
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

interface PostOptions {
  readonly dispatcher: Agent;
  readonly signature: string;
  readonly signal: AbortSignal;
}

async function post(url: string, body: Buffer, { signature, ...options }: PostOptions): Promise<number | null> {
  try {
    const response = await request(url, {
      ...options,
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', signature },
      body,
    });
    await response.body.dump().catch(() => undefined);
    return response.statusCode;
  } catch {
    // A refused connection, a timeout and a reset are all the same to the sender: no 20x came.
    return null;
  }
}
