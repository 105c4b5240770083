import { Agent, type Dispatcher } from 'undici';
import type { Announcement, Destination } from '../../activities/ports/announcing.ts';
import type { ContentMode } from '../domain/content-mode.ts';
import { DocklineError, reasonOf } from '../domain/errors.ts';
import { parseRetryAfter } from '../domain/retry-policy.ts';
import { inSpan, type SpanOptions, type Tracing } from '../domain/tracing.ts';
import { DATA, toBinary, toStructured } from './binary-mode.ts';
import { createGuard, createGuardedConnector } from './guard.ts';
import { createSigner } from './signature.ts';

/** Address and secrets of a destination. */
export interface DestinationOptions {
  /** https, or http on loopback. */
  readonly url: string;
  /** Secrets that sign, one or more: `whsec_<base64>`. */
  readonly secret: readonly string[];
  readonly tracing?: Tracing | undefined;
  /** Default: `structured`. */
  readonly mode?: ContentMode | undefined;
  /** Timeout of one exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Internal addresses that are allowed nevertheless: addresses or CIDR ranges. */
  readonly allowedAddresses: readonly string[];
  /** Returns the time, in milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * Creates a destination, which receives signed announcements by POST: CloudEvents with Standard Webhooks headers. Any
 * 2xx is success; redirects are not followed. Failures are `ERR_DESTINATION_UNREACHABLE`, `_FAILED`, `_REFUSED` and `_ADDRESS`.
 */
export function createDestination(options: DestinationOptions): Destination & { close(): Promise<void> } {
  const { url, mode, tracing, timeoutMs, allowedAddresses, now = Date.now } = options;
  const toMessage = mode === 'binary' ? toBinary : toStructured;
  const sign = createSigner(options.secret);
  const { origin, pathname, search } = new URL(url);
  const agent = new Agent({ connect: createGuardedConnector(createGuard(url, allowedAddresses)) });

  /** Adds the headers of Standard Webhooks, whose signature covers the id, the timestamp and the body, and the trace of this attempt. */
  function signed({ id, body: recorded }: Announcement) {
    const { headers, body } = toMessage(recorded);
    const timestamp = Math.floor(now() / 1000);
    const traceparent = tracing?.current();
    return {
      body,
      headers: {
        ...headers,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign({ id, timestamp, body }),
        ...(traceparent !== undefined && { traceparent }),
      },
    };
  }

  async function post(announcement: Announcement, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const message = signed(announcement);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        ...message,
        signal: AbortSignal.any([signal, timeout]),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DocklineError) throw error;
      const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error);
      throw new DocklineError('ERR_DESTINATION_UNREACHABLE', `POST ${origin} failed: ${reason}`, { cause: error });
    }
  }

  async function send(announcement: Announcement, signal: AbortSignal): Promise<number> {
    const { statusCode, headers, body } = await post(announcement, signal);
    tracing?.annotate({ 'http.response.status_code': statusCode });
    // The status has decided already: a body that breaks off must not cause another attempt.
    await body.dump().catch(() => undefined);
    if (statusCode >= 200 && statusCode <= 299) return statusCode;
    const retryAfterMs = parseRetryAfter(headers['retry-after']);
    const message = `POST ${origin} answered ${statusCode}`;
    throw new DocklineError(codeOf(statusCode), message, { retryAfterMs, status: statusCode });
  }

  return {
    send: (announcement, signal) =>
      inSpan(
        { tracing },
        'announce',
        () => spanOf(announcement, origin),
        () => send(announcement, signal),
      ),
    timeoutMs,
    close: () => agent.close(),
  };
}

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
