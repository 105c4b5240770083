/** What a verifier sees of a delivery. */
export interface SignedRequest {
  /** A header by its name in lower case; undefined where it is missing or came twice, which leaves open what it says. */
  header(name: string): string | undefined;
  /** The address as it was asked for. */
  readonly url: string;
  /** The bytes as they came. */
  readonly body: Buffer;
}

/** `undecided` when what is needed to decide cannot be had now: the delivery may be good and should come again. */
export type Verdict = 'authentic' | 'refused' | 'undecided';

/** Decides whether a delivery comes from whom it should; never throws. */
export type Verifier = (request: SignedRequest) => Promise<Verdict>;

/** Reads headers from names and values in turn, as Node has them before it joins or drops those that came twice. */
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
