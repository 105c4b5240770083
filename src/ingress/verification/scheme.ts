import { z } from 'zod';
import type { Logger } from '../../base/logger.ts';
import type { Proxies } from '../../http/proxies.ts';

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

/** Verification scheme: the settings that it requires, and the verifier that it creates from them. */
export interface Scheme<Settings extends z.ZodRawShape> {
  /** Words for what it verifies. */
  readonly verifies: string;
  /** Form of each setting, by its key in the `webhook` section of a tenant, with its usual value if there is one. */
  readonly settings: Settings;
  /** `WWW-Authenticate` of a refusal (RFC 9110, section 11.6.1): some senders send credentials only when challenged. */
  readonly challenge?: string;
  /** Creates the check that refuses requests before their bodies are read; absent if a request needs nothing to be authentic. */
  createHeadCheck?(settings: z.output<z.ZodObject<Settings>>): HeadCheck;
  createVerifier(settings: z.output<z.ZodObject<Settings>>, context: VerificationContext): Verifier;
}

/** Facts beyond its settings that a verifier may depend on. */
interface VerificationContext {
  /** Base address of the tenant's warehouse. */
  readonly baseUrl: string;
  /** Path of its public key; the standard one unless given. */
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

/** Form of a shared secret. */
export const secret = z.string().min(16, 'must have at least 16 characters');
