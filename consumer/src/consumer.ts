import { AnnouncementError } from './announcement-error.ts';
import { isBinary, parseBinary } from './binary-mode.ts';
import type { RequestHeaders } from './headers.ts';
import { parse } from './parse.ts';
import { type Outcome, type TakeOptions, take } from './take.ts';
import { createVerifier, type VerifierOptions } from './verify.ts';

/** Options of a consumer. */
export interface ConsumerOptions<Transaction> extends VerifierOptions, TakeOptions<Transaction> {}

/** Answer to a request. */
export interface Answer {
  /** HTTP status, which makes Dockline go on, or send the announcement again later. */
  readonly status: number;
  readonly outcome: Outcome | 'refused';
  /** Reason of a refusal. */
  readonly error?: AnnouncementError;
}

/** Consumer of announcements. */
export interface Consumer {
  /** Takes a request in either mode: its headers, and its body as raw bytes. Errors of the handler and of the store are thrown: answer 500. */
  receive(headers: RequestHeaders, body: Uint8Array | undefined): Promise<Answer>;
}

/** 425 holds back the announcements of the subject until the missing one has come; a refusal of 4xx would not. */
const statusOf = { taken: 204, duplicate: 204, ignored: 204, early: 425 } as const satisfies Record<Outcome, number>;

/** Creates a consumer, which takes each authentic announcement once, in the order of its subject. */
export function createConsumer<Transaction>(options: ConsumerOptions<Transaction>): Consumer {
  const verify = createVerifier(options);

  const read = (headers: RequestHeaders, body: Uint8Array) => {
    verify(headers, body);
    return isBinary(headers) ? parseBinary(headers, body) : parse(body);
  };

  return {
    async receive(headers, body = new Uint8Array()) {
      if (!(body instanceof Uint8Array)) {
        throw new TypeError('the body must be the bytes as they came: keep your framework from parsing it');
      }
      let announcement: ReturnType<typeof parse>;
      try {
        announcement = read(headers, body);
      } catch (error) {
        if (!(error instanceof AnnouncementError)) throw error;
        return { status: error.code === 'ERR_MALFORMED' ? 400 : 401, outcome: 'refused', error };
      }
      const outcome = await take(announcement, options);
      return { status: statusOf[outcome], outcome };
    },
  };
}
