import type { Extent } from '../../domain/detail.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { OutgoingAnnouncement, Receipt } from '../../domain/outgoing.ts';
import { parseRetryAfter } from '../../domain/retry-policy.ts';
import { inSpan } from '../../domain/tracing.ts';
import { asSent, CLOUD_EVENT_TYPE } from '../announcements/announced-data.ts';
import { createPost, type HttpMessage, type PostOptions } from '../sending/post.ts';
import { sendFitting } from '../sending/send-fitting.ts';
import { createSigner } from '../sending/signature.ts';
import { spanOf } from '../sending/span.ts';
import type { DestinationContext, OpenDestination } from './kind.ts';

/** Address and secrets of a destination. */
export interface DestinationOptions extends PostOptions, Extent, DestinationContext {
  /** Secrets that sign, one or more: `whsec_<base64>`. */
  readonly secret: readonly string[];
  /** Returns the time, in milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Creates a destination, which receives signed announcements by POST: CloudEvents with Standard Webhooks headers. Any
 * 2xx is success; redirects are not followed. What is larger than its limit, or answered as if it were, goes out without records, as far
 * as there are any.
 * Failures are `ERR_DESTINATION_UNREACHABLE`, `_FAILED`, `_REFUSED` and `_ADDRESS`.
 */
export function createDestination(options: DestinationOptions): OpenDestination {
  const { url, headers: own, tracing, timeoutMs, detail, maxBytes, now = Date.now } = options;
  const sign = createSigner(options.secret);
  const { origin } = new URL(url);
  const { name, post, close } = createPost(options);

  /** Adds the headers of Standard Webhooks, whose signature covers the id, the timestamp and the body, and the trace of this attempt. */
  function signed({ id, isReplay }: OutgoingAnnouncement, body: Buffer): HttpMessage {
    const timestamp = Math.floor(now() / 1000);
    const traceparent = tracing?.current();
    return {
      body,
      headers: {
        'content-type': CLOUD_EVENT_TYPE,
        ...own,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign({ id, timestamp, body }),
        ...(traceparent !== undefined && { traceparent }),
        ...(isReplay && { 'dockline-replay': 'true' }),
      },
    };
  }

  async function send(outgoing: OutgoingAnnouncement, signal: AbortSignal): Promise<Receipt> {
    const announcement = asSent(outgoing);
    const limits = { signal, timeout: AbortSignal.timeout(timeoutMs) };
    return await sendFitting(announcement, { detail, maxBytes }, async (body) => {
      const { status, exchange, retryAfter } = await post(signed(outgoing, body), limits);
      tracing?.annotate({ 'http.response.status_code': status });
      if (status >= 200 && status <= 299) return { status, exchange };
      const retryAfterMs = parseRetryAfter(retryAfter);
      const facts = { retryAfterMs, status, exchange };
      const failure = new DocklineError(codeOf(status), `${name} answered ${status}`, facts);
      if (MAYBE_TOO_LARGE.has(status)) return failure;
      throw failure;
    });
  }

  return {
    send: (announcement, signal) =>
      inSpan(
        { tracing },
        'announce',
        () => spanOf(announcement, 'client', { 'http.request.method': 'POST', 'server.address': origin }),
        () => send(announcement, signal),
      ),
    close,
  };
}

/** 413, and statuses that servers have instead of it (400: Django). Those may mean something else, which the smallest form then shows. */
const MAYBE_TOO_LARGE: ReadonlySet<number> = new Set([400, 413, 414, 431, 507]);

/** 4xx statuses that concern every announcement: credentials, address, overload. */
const GENERAL: ReadonlySet<number> = new Set([401, 403, 404, 407, 408, 410, 421, 425, 429]);

/** Distinguishes a verdict on one announcement from an answer that concerns the whole destination. */
const codeOf = (status: number) =>
  status >= 400 && status <= 499 && !GENERAL.has(status) ? 'ERR_DESTINATION_REFUSED' : 'ERR_DESTINATION_FAILED';
