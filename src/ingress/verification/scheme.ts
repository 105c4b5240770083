import { z } from 'zod';
import type { Logger } from '../../base/logger.ts';
import type { Proxies } from '../../http/proxies.ts';

/** Request as a verifier sees it. */
export interface SignedRequest {
  /** By its name in lower case; undefined if it is missing, or ambiguous because it was sent twice. */
  header(name: string): string | undefined;
  /** Path and query. */
  readonly url: string;
  readonly body: Buffer;
}

export type SignedHead = Omit<SignedRequest, 'body'>;

/** Reports whether a request may be authentic as far as its headers and address show. A verifier refuses every other one. */
export type HeadCheck = (head: SignedHead) => boolean;

/**
 * `undecided` means that verification is impossible at the moment, and `unrecognized` that nothing known verifies the delivery, but what
 * is known may be out of date. Either may be authentic and should be sent again.
 */
type Verdict = 'authentic' | 'refused' | 'undecided' | 'unrecognized';

/** It never throws. */
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

/** `settings` are those that the verifier is created from. */
export interface Scheme<Settings extends z.ZodRawShape> {
  /** Completes a sentence: "the warehouse's own signature". */
  readonly verifies: string;
  /** Form of each setting, by its key in the `webhook` section of a tenant, with its usual value if there is one. */
  readonly settings: Settings;
  /** `WWW-Authenticate` of a refusal (RFC 9110, section 11.6.1): some senders send credentials only when challenged. */
  readonly challenge?: string;
  /** Refuses requests before their bodies are read; absent if a request needs nothing to be authentic. */
  createHeadCheck?(settings: z.output<z.ZodObject<Settings>>): HeadCheck;
  createVerifier(settings: z.output<z.ZodObject<Settings>>, context: VerificationContext): Verifier;
}

/** Beyond its settings. */
interface VerificationContext {
  readonly baseUrl: string;
  /** Of the public key; the standard one unless given. */
  readonly keyPath?: string | undefined;
  readonly proxies?: Proxies | undefined;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now?: () => number;
}

/** Infers the type of a scheme. */
export const defineScheme = <Settings extends z.ZodRawShape>(scheme: Scheme<Settings>): Scheme<Settings> => scheme;

/** Creates the check and the verifier of a scheme for which the head of a request decides. */
export const decidedByHead = <Settings>(createHeadCheck: (settings: Settings) => HeadCheck) => ({
  createHeadCheck,
  createVerifier(settings: Settings): Verifier {
    const isAuthentic = createHeadCheck(settings);
    return async (request) => (isAuthentic(request) ? 'authentic' : 'refused');
  },
});

export const secret = z.string().min(16, 'must have at least 16 characters');
