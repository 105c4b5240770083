import { DocklineError } from '../../domain/errors.ts';
import type { Extent, OutgoingAnnouncement } from '../../domain/outgoing.ts';
import { parseRetryAfter } from '../../domain/retry-policy.ts';
import { detailForms, findDetailProblems } from '../../forms/destination-forms.ts';
import { findTlsProblems, tlsForms, withTls } from '../../forms/files.ts';
import {
  bearerToken,
  consent,
  destinationAddress,
  headersForm,
  plainTextRule,
  signingSecrets,
  splitCredentials,
} from '../../forms/forms.ts';
import { createPost, type PostOptions } from '../../http/post.ts';
import { createSigner, signedHeaders } from '../../http/signature.ts';
import { CLOUD_EVENT_TYPE } from '../announcements/announced-data.ts';
import { sendingBy } from '../sending/sending.ts';
import { type DestinationContext, defineKind, type OpenDestination } from './kind.ts';

const forms = {
  url: destinationAddress.describe(
    'Address for POSTs, `https://host/path`. A user and a password in it are sent as HTTP Basic; percent-encode them: `https://user:pass%40word@host/path`.',
  ),
  allowHttp: consent(
    'Plain http is refused beyond loopback unless this is `yes`: announcements, and what is sent with them, travel there readable.',
  ),
  secret: signingSecrets.describe(
    'Secret that signs announcements (`whsec_` and base64), or several while one is replaced: all of them sign.',
  ),
  headers: headersForm
    .default({})
    .describe(
      'Further headers of each POST, by name, such as the key of an API gateway, or `content-type` with `application/json` for a receiver that takes nothing else.',
    ),
  bearer: bearerToken.optional().describe('Token that is sent as `Authorization: Bearer`.'),
  ...tlsForms,
  ...detailForms,
};

const REDIRECTED = 'Redirects are not followed: set ANNOUNCE_URL to the address where they lead.';

const UNAUTHENTIC =
  'The receiver does not accept the signature, or what else shows who sends: compare its secret with ANNOUNCE_SECRET, and the user and password of ANNOUNCE_URL, ANNOUNCE_BEARER or ANNOUNCE_HEADERS.';

export const http = defineKind({
  about: 'POSTs',
  forms,
  rules(given) {
    const { url, allowHttp, headers, bearer } = given;
    const ways = [splitCredentials(url).credentials, bearer, headers?.authorization].filter(Boolean);
    return [
      plainTextRule(url, 'http', allowHttp, 'announcements'),
      [
        ways.length > 1,
        bearer ? 'bearer' : 'headers',
        'is one of several: set the user in the address, a bearer token or a header Authorization',
      ],
      ...findDetailProblems(given),
      ...findTlsProblems(given, 'https'),
    ];
  },
  toSettings(parsed) {
    const { url: given, allowHttp: _, headers: own, bearer, ...rest } = withTls(parsed);
    const { url, credentials } = splitCredentials(given);
    const basic = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
    const authorization = bearer === undefined ? basic : `Bearer ${bearer}`;
    const headers = { ...own, ...(authorization !== undefined && { authorization }) };
    return { ...rest, url, headers };
  },
  open: (settings, context) => createDestination({ ...settings, ...context }),
  advice: {
    ...Object.fromEntries([301, 302, 307, 308].map((status) => [status, REDIRECTED])),
    401: UNAUTHENTIC,
    403: UNAUTHENTIC,
  },
});

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
