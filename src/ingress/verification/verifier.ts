/** Request as a verifier sees it. */
export interface SignedRequest {
  /** Returns a header by its name in lower case; undefined if it is missing, or ambiguous because it was sent twice. */
  header(name: string): string | undefined;
  /** Path and query of the request. */
  readonly url: string;
  /** Raw bytes of the body. */
  readonly body: Buffer;
}

/** Request before its body is read. */
export type SignedHead = Omit<SignedRequest, 'body'>;

/** Reports whether a request may be authentic as far as its headers and address show. A verifier refuses every other one. */
export type HeadCheck = (head: SignedHead) => boolean;

/**
 * `undecided` means that verification is impossible at the moment, and `unrecognized` that nothing known verifies the delivery, but what
 * is known may be out of date. Either may be authentic and should be sent again.
 */
type Verdict = 'authentic' | 'refused' | 'undecided' | 'unrecognized';

/** Decides whether a delivery is authentic. It never throws. */
export type Verifier = (request: SignedRequest) => Promise<Verdict>;

/** Creates a reader of raw headers, which Node lists as names and values in turn before it joins or drops repeated ones. */
export function headerReader(rawHeaders: readonly string[]): SignedRequest['header'] {
  return (name) => {
    let found: string | undefined;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.toLowerCase() !== name) continue;
      if (found !== undefined) return undefined;
      found = rawHeaders[at + 1];
    }
    return found;
  };
}
