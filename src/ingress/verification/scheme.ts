import { z } from 'zod';
import type { Logger } from '../../base/logger.ts';
import type { Proxies } from '../../http/proxies.ts';

export interface SignedRequest {
  /** Name in lower case; undefined if missing, or sent twice and so ambiguous. */
  header(name: string): string | undefined;
  readonly url: string;
  readonly body: Buffer;
}

export type SignedHead = Omit<SignedRequest, 'body'>;

/** Reports whether a request may be authentic by its headers and address. */
export type HeadCheck = (head: SignedHead) => boolean;

/**
 * `undecided`: verification is impossible now. `unrecognized`: nothing known verifies it, but that may be out of date.
 * Either should be sent again.
 */
type Verdict = 'authentic' | 'refused' | 'undecided' | 'unrecognized';

/** Never throws. */
export type Verifier = (request: SignedRequest) => Promise<Verdict>;

/** Node lists names and values in turn before it joins or drops repeated ones. */
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

export interface Scheme<Settings extends z.ZodRawShape> {
  /** Completes a sentence: "the warehouse's own signature". */
  readonly verifies: string;
  /** By its key in the `webhook` section of a tenant. */
  readonly settings: Settings;
  /** `WWW-Authenticate` of a refusal (RFC 9110, section 11.6.1). */
  readonly challenge?: string;
  /** Absent if a request needs nothing to be authentic. */
  createHeadCheck?(settings: z.output<z.ZodObject<Settings>>): HeadCheck;
  createVerifier(settings: z.output<z.ZodObject<Settings>>, context: VerificationContext): Verifier;
}

interface VerificationContext {
  readonly baseUrl: string;
  /** Default: the standard path. */
  readonly keyPath?: string | undefined;
  readonly proxies?: Proxies | undefined;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now?: () => number;
}

export const defineScheme = <Settings extends z.ZodRawShape>(scheme: Scheme<Settings>): Scheme<Settings> => scheme;

/** For schemes that the head of a request decides. */
export const decidedByHead = <Settings>(createHeadCheck: (settings: Settings) => HeadCheck) => ({
  createHeadCheck,
  createVerifier(settings: Settings): Verifier {
    const isAuthentic = createHeadCheck(settings);
    return async (request) => (isAuthentic(request) ? 'authentic' : 'refused');
  },
});

export const secret = z.string().min(16, 'must have at least 16 characters');
