import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import { DocklineError, reasonOf } from '../../domain/errors.ts';
import { createAgent, proxyAnswer } from '../../http/agent.ts';
import { decodeText, readBody, UNCOMPRESSED, UnreadableBody } from '../../http/charset.ts';
import { type Proxies, proxyOf, throughProxy } from '../../http/proxies.ts';

export interface Target {
  readonly method: 'GET' | 'POST';
  /** With its query string. */
  readonly path: string;
  /** Named in messages instead of the path. */
  readonly url?: string;
}

interface Call extends Target {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** Called just before the request is written. What it throws ends the call. */
  readonly onBegin?: (() => void) | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export type Transport = (call: Call) => Promise<Answer>;

interface TransportOptions {
  readonly baseUrl: string;
  readonly proxies?: Proxies | undefined;
  readonly dispatcher?: Dispatcher;
  readonly timeoutMs: number;
}

/** Before and after decompression. */
const ANSWER_LIMIT = 32 * 1024 * 1024;

/**
 * Neither retries nor follows redirects. Fails with `ERR_WAREHOUSE_UNREACHABLE`, or `ERR_WAREHOUSE_UNREADABLE` for more
 * than 32 MB, unknown compression, or bytes that are not in its charset.
 */
export function createTransport({
  baseUrl,
  proxies,
  dispatcher = createAgent({ proxies }),
  timeoutMs,
}: TransportOptions): Transport {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/(?<!\/)\/+$/, '');
  const way = throughProxy(proxyOf(baseUrl, proxies));
  const sending = dispatcher.compose(reportBegin);

  return async ({ onBegin, ...call }) => {
    const limitMs = call.timeoutMs ?? timeoutMs;
    const timeout = AbortSignal.timeout(limitMs);
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
    try {
      const answer = await sending.request({
        ...call,
        opaque: onBegin,
        headers: { ...call.headers, ...UNCOMPRESSED },
        origin,
        path: prefix + call.path,
        signal,
      });
      const { statusCode: status, headers } = answer;
      const bytes = await readBody(answer, ANSWER_LIMIT);
      // An answer that is no success counts by its status, however its text is written.
      const isSuccess = status >= 200 && status <= 299;
      return {
        status,
        headers,
        text: isSuccess ? decodeText(bytes, String(headers['content-type'] ?? '')) : bytes.toString(),
      };
    } catch (error) {
      call.signal?.throwIfAborted();
      if (error instanceof DocklineError) throw error;
      if (error instanceof UnreadableBody)
        throw new DocklineError('ERR_WAREHOUSE_UNREADABLE', `${describeCall(call)} answered ${error.message}`, {
          cause: error,
        });
      const answered = proxyAnswer(error);
      const reason = timeout.aborted ? `no whole answer within ${limitMs} ms` : (answered ?? reasonOf(error));
      // Of what a call consists of, only a token is not checked before.
      const isUnsendable = error instanceof errors.InvalidArgumentError && answered === undefined;
      const code = isUnsendable ? 'ERR_WAREHOUSE_TOKEN' : 'ERR_WAREHOUSE_UNREACHABLE';
      throw new DocklineError(code, `${describeCall(call)}${way} failed: ${reason}`, { cause: error });
    }
  };
}

/** Until then the request may have waited for a connection. */
const reportBegin: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { opaque: onBegin } = options as { readonly opaque?: unknown };
  if (typeof onBegin === 'function') {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      start?.(controller, context);
      if (!controller.aborted) onBegin();
    };
  }
  return dispatch(options, handler);
};

/** Without its query string. */
export function describeCall({ method, path, url = path }: Target): string {
  return `${method} ${url.replace(/\?.*/s, '')}`;
}

export type Ids = Readonly<Record<string, string | undefined>>;

/**
 * Leaves out parameters that the path itself has. Throws `ERR_WAREHOUSE_REFUSED` for an id that is missing or would
 * lead to another path, such as `..`.
 */
export function fillPath(path: string, ids: Ids, parameters: readonly string[] = []): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name] ?? '';
    if (/^\.*$/.test(id)) {
      throw new DocklineError('ERR_WAREHOUSE_REFUSED', `GET ${path} needs an id in place of {${name}}, not "${id}"`);
    }
    return encodeURIComponent(id.toWellFormed());
  });
  const [before = '', query = ''] = filled.split(/\?(.*)/s, 2);
  const own = query.split('&').filter(Boolean);
  const isSet = (parameter: string) => own.some((one) => nameOf(one) === nameOf(parameter));
  const all = [...own, ...parameters.filter((parameter) => !isSet(parameter))];
  return all.length > 0 ? `${before}?${all.join('&')}` : before;
}

/** The warehouse ignores the case of parameters. */
const nameOf = (parameter: string): string => parameter.replace(/=.*/s, '').toLowerCase();
