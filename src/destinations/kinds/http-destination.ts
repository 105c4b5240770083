import type { Extent } from '../../domain/detail.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { OutgoingAnnouncement } from '../../domain/outgoing.ts';
import { parseRetryAfter } from '../../domain/retry-policy.ts';
import { CLOUD_EVENT_TYPE } from '../announcements/announced-data.ts';
import { createPost, type PostOptions } from '../sending/post.ts';
import { sendingBy } from '../sending/sending.ts';
import { createSigner, signedHeaders } from '../sending/signature.ts';
import type { DestinationContext, OpenDestination } from './kind.ts';

export interface DestinationOptions extends PostOptions, Extent, DestinationContext {
  /** `whsec_<base64>`. */
  readonly secret: readonly string[];
  readonly now?: () => number;
}

/** Any 2xx is success; redirects are not followed. What is too large goes out without records. */
export function createDestination(options: DestinationOptions): OpenDestination {
  const { url, headers: own, tracing, timeoutMs, now = Date.now } = options;
  const sign = createSigner(options.secret);
  const { origin } = new URL(url);
  const { name, post, close } = createPost(options);

  const begin = (outgoing: OutgoingAnnouncement, signal: AbortSignal) => {
    const limits = { signal, timeout: AbortSignal.timeout(timeoutMs) };
    return async (body: Buffer) => {
      const signed = signedHeaders(outgoing, body, { sign, tracing, timestamp: Math.floor(now() / 1000) });
      const headers = { 'content-type': CLOUD_EVENT_TYPE, ...own, ...signed };
      const { status, exchange, retryAfter } = await post({ body, headers }, limits);
      tracing?.annotate({ 'http.response.status_code': status });
      if (status >= 200 && status <= 299) return { status, exchange };
      const retryAfterMs = parseRetryAfter(retryAfter);
      const facts = { retryAfterMs, status, exchange };
      const failure = new DocklineError(codeOf(status), `${name} answered ${status}`, facts);
      if (MAYBE_TOO_LARGE.has(status)) return failure;
      throw failure;
    };
  };

  const attributes = { 'http.request.method': 'POST', 'server.address': origin };
  return { send: sendingBy(options, 'client', attributes, begin), close };
}

/** Status 413, and what servers have instead (400: Django), which may mean something else: the smallest form then shows. */
const MAYBE_TOO_LARGE: ReadonlySet<number> = new Set([400, 413, 414, 431, 507]);

/** They concern every announcement: credentials, address, overload. */
const GENERAL: ReadonlySet<number> = new Set([401, 403, 404, 407, 408, 410, 421, 425, 429]);

/** Others are a verdict on one announcement. */
const codeOf = (status: number) =>
  status >= 400 && status <= 499 && !GENERAL.has(status) ? 'ERR_DESTINATION_REFUSED' : 'ERR_DESTINATION_FAILED';
