import type { Announcement, Destination, OutgoingAnnouncement, Receipt } from '../../activities/ports/announcing.ts';
import type { ContentMode } from '../domain/content-mode.ts';
import { DocklineError } from '../domain/errors.ts';
import { parseRetryAfter } from '../domain/retry-policy.ts';
import { inSpan, type SpanOptions, type Tracing } from '../domain/tracing.ts';
import { asSent } from './announced-data.ts';
import { DATA, type ModedMessage, toBinary, toStructured } from './binary-mode.ts';
import { createPost, type PostOptions } from './post.ts';
import { createSigner } from './signature.ts';
import { type AnnouncementForm, thinnerForms } from './thinner.ts';

/** Address and secrets of a destination. */
export interface DestinationOptions extends PostOptions {
  /** Secrets that sign, one or more: `whsec_<base64>`. */
  readonly secret: readonly string[];
  /** Headers of its own, in lower case. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tracing?: Tracing | undefined;
  /** Default: `structured`. */
  readonly mode?: ContentMode | undefined;
  /** Size of a body above which records are left out, in bytes. Default: none. */
  readonly maxBytes?: number | undefined;
  /** Returns the time, in milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Creates a destination, which receives signed announcements by POST: CloudEvents with Standard Webhooks headers. Any
 * 2xx is success; redirects are not followed. What is too large, or answered 413, goes out without records, as far as there are any.
 * Failures are `ERR_DESTINATION_UNREACHABLE`, `_FAILED`, `_REFUSED` and `_ADDRESS`.
 */
export function createDestination(options: DestinationOptions): Destination & { close(): Promise<void> } {
  const { url, headers: own, mode, tracing, timeoutMs, maxBytes = Number.POSITIVE_INFINITY, now = Date.now } = options;
  const toMessage = mode === 'binary' ? toBinary : toStructured;
  const sign = createSigner(options.secret);
  const { origin } = new URL(url);
  const { name, post, close } = createPost(options);

  /** Adds the headers of Standard Webhooks, whose signature covers the id, the timestamp and the body, and the trace of this attempt. */
  function signed({ id, isReplay }: OutgoingAnnouncement, { headers, body }: ModedMessage): ModedMessage {
    const timestamp = Math.floor(now() / 1000);
    const traceparent = tracing?.current();
    return {
      body,
      headers: {
        ...headers,
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
    const thinner = thinnerForms(announcement);
    const sendForm = async ({ body, leftOut }: AnnouncementForm): Promise<Receipt> => {
      const message = toMessage(body);
      const smaller = message.body.byteLength > maxBytes ? thinner.next().value : undefined;
      if (smaller) return await sendForm(smaller);
      const { status, retryAfter } = await post(signed(outgoing, message), limits);
      tracing?.annotate({ 'http.response.status_code': status });
      if (status >= 200 && status <= 299) return { status, ...(leftOut && { leftOut }) };
      const next = status === TOO_LARGE ? thinner.next().value : undefined;
      if (next) return await sendForm(next);
      const retryAfterMs = parseRetryAfter(retryAfter);
      throw new DocklineError(codeOf(status), `${name} answered ${status}`, { retryAfterMs, status });
    };
    return await sendForm(announcement);
  }

  return {
    send: (announcement, signal) =>
      inSpan(
        { tracing },
        'announce',
        () => spanOf(announcement, origin),
        () => send(announcement, signal),
      ),
    close,
  };
}

const TOO_LARGE = 413;

/** Describes the span of an attempt, which continues the trace of the recording. */
const spanOf = ({ id, body }: Announcement, origin: string): SpanOptions => ({
  kind: 'client',
  traces: TRACE.exec(body.slice(0, body.indexOf(DATA)))?.slice(1),
  attributes: { 'dockline.announcement': id, 'http.request.method': 'POST', 'server.address': origin },
});

/** Trace among the attributes of an announcement. */
const TRACE = /"traceparent":"([^"]+)"/;

/** 4xx statuses that concern every announcement: credentials, address, overload. */
const GENERAL: ReadonlySet<number> = new Set([401, 403, 404, 407, 408, 410, 421, 425, 429]);

/** Distinguishes a verdict on one announcement from an answer that concerns the whole destination. */
const codeOf = (status: number) =>
  status >= 400 && status <= 499 && !GENERAL.has(status) ? 'ERR_DESTINATION_REFUSED' : 'ERR_DESTINATION_FAILED';
