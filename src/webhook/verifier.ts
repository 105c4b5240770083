import type { IncomingHttpHeaders } from 'node:http';

/** What a verifier sees of a delivery. */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  /** The bytes as they came. */
  readonly body: Buffer;
}

/** `undecided` when what is needed to decide cannot be had now: the delivery may be good and should come again. */
export type Verdict = 'authentic' | 'refused' | 'undecided';

/** Decides whether a delivery comes from whom it should; never throws. */
export type Verifier = (request: SignedRequest) => Promise<Verdict>;
