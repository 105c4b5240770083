import type { Announcement } from './announcement.ts';
import { AnnouncementError } from './announcement-error.ts';
import { bytesOf, type RequestBody } from './body.ts';
import type { RequestHeaders } from './headers.ts';
import { parseRequest } from './parse.ts';
import { checkTakeOptions, type Outcome, type TakeOptions, take } from './take.ts';
import { createVerifier, type VerifierOptions } from './verify.ts';

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
  /**
   * Takes a request: its headers, and its body as it came. Errors of the handler and of the store are thrown: answer 500.
   * A body that was parsed is a `TypeError`.
   */
  receive(headers: RequestHeaders, body: RequestBody): Promise<Answer>;
}

/** 425 holds back the announcements of the subject until the missing one has come; a refusal of 4xx would not. */
const statusOf = { taken: 204, duplicate: 204, ignored: 204, early: 425 } as const satisfies Record<Outcome, number>;

/**
 * Creates a consumer, which takes each authentic announcement once, in the order of its subject. Throws a `TypeError` for a secret of another
 * form, and without a store or a handler.
 */
export function createConsumer<Transaction>(options: ConsumerOptions<Transaction>): Consumer {
  const verify = createVerifier(options);
  checkTakeOptions(options);

  return {
    async receive(headers, body) {
      const bytes = bytesOf(body);
      let announcement: Announcement;
      try {
        verify(headers, bytes);
        announcement = parseRequest(headers, bytes);
      } catch (error) {
        if (!(error instanceof AnnouncementError)) throw error;
        return { status: error.code === 'ERR_MALFORMED' ? 400 : 401, outcome: 'refused', error };
      }
      const outcome = await take(announcement, options);
      return { status: statusOf[outcome], outcome };
    },
  };
}
