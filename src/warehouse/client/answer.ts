import { UnreadableJson } from '../../base/json-shape.ts';
import { parseJson } from '../../base/untrusted-json.ts';
import { DocklineError, type FailureCode } from '../../domain/errors.ts';
import { parseRetryAfter } from '../../domain/retry-policy.ts';
import { UnprovenAnswer } from '../resources/proof.ts';
import { type Answer, describeCall, type Target } from './transport.ts';

/** Specification section 7; 404, 410 and 429 as seen in the real system. */
const codes: { readonly [status: number]: FailureCode } = {
  401: 'ERR_WAREHOUSE_UNAUTHENTICATED',
  403: 'ERR_WAREHOUSE_FORBIDDEN',
  404: 'ERR_WAREHOUSE_NOT_FOUND',
  410: 'ERR_WAREHOUSE_NOT_FOUND',
  429: 'ERR_WAREHOUSE_RATE_LIMITED',
};

/** A redirect or "not modified" answers no GET of ours: it is an outage, as 5xx is. */
const codeOf = (status: number): FailureCode =>
  codes[status] ?? (status < 400 || status >= 500 ? 'ERR_WAREHOUSE_FAILED' : 'ERR_WAREHOUSE_REFUSED');

/** For a 403 (specification 5.1, 5.4). */
const FORBIDDEN_HINT = ': the roles of the credential do not allow it, or it is a multi-tenant credential';

/** Of the body it contains only the warehouse's `ErrorCode`. */
export function refusalOf(
  target: Target,
  answer: Answer,
  code = codeOf(answer.status),
  hint = code === 'ERR_WAREHOUSE_FORBIDDEN' ? FORBIDDEN_HINT : '',
): DocklineError {
  const errorCode = /"ErrorCode"\s*:\s*"(\w{1,64})"/i.exec(answer.text)?.[1];
  const message = `${describeCall(target)} answered ${answer.status}${errorCode ? ` (ErrorCode ${errorCode})` : ''}${hint}`;
  const retryAfterMs = parseRetryAfter(answer.headers['retry-after']);
  return new DocklineError(code, message, { retryAfterMs, status: answer.status });
}

/**
 * Says what is wrong with the settings of a refused token request. Looks only for the error codes of OAuth (RFC 6749,
 * section 5.2) and the name of the field at fault: the text is not specified.
 */
export function explainTokenRefusal(authUrl: string, { status, text }: Pick<Answer, 'status' | 'text'>): string {
  if (isElsewhere(status)) return explainAddress(authUrl);
  return causes.find(({ sign }) => sign.test(text))?.cause ?? UNNAMED;
}

const LOGIN = 'the warehouse does not know the user login (WAREHOUSE_USER_LOGIN)';

/** The most telling first. */
const causes: readonly { readonly sign: RegExp; readonly cause: string }[] = [
  { sign: /user.?(login|name)/i, cause: LOGIN },
  { sign: /\btpl/i, cause: 'the credential does not belong to the account that WAREHOUSE_TPL names' },
  {
    sign: /(invalid|unauthorized)_client/i,
    cause: 'the client id or the client secret is wrong (WAREHOUSE_CLIENT_ID, WAREHOUSE_CLIENT_SECRET)',
  },
  { sign: /invalid_grant|\buser\b/i, cause: LOGIN },
];

const UNNAMED =
  'the client id, the client secret or the user login is wrong (WAREHOUSE_CLIENT_ID, WAREHOUSE_CLIENT_SECRET, WAREHOUSE_USER_LOGIN)';

/** Redirects are not followed: a credential goes to the configured address only. */
const isElsewhere = (status: number): boolean => status < 400 || status === 404 || status === 405 || status === 410;

function explainAddress(authUrl: string): string {
  const path = new URL(authUrl).pathname.replace(/(?<!\/)\/+$/, '');
  const base = 'WAREHOUSE_AUTH_URL is a base address, to which /AuthServer/api/Token is added';
  return path ? `${base}; leave out its path ${path}` : `${base}; there is no token server at this one`;
}

/** Throws `UnprovenAnswer` for a value that is not what was asked for. */
export type Read<T> = (value: unknown) => T;

/**
 * Reads an answer that proves to be what was asked for: 200, JSON, whole, within bounds, and whatever `read` demands.
 * Integers that a double cannot hold arrive as text. Fails with {@link refusalOf}, `ERR_WAREHOUSE_UNREADABLE`, or
 * `ERR_WAREHOUSE_TOO_LARGE` for too many values.
 */
export function readAnswer<T>(target: Target, answer: Answer, read: Read<T>): T {
  if (answer.status < 200 || answer.status > 299) throw refusalOf(target, answer);
  try {
    return read(parse(answer));
  } catch (error) {
    if (!(error instanceof UnprovenAnswer || error instanceof UnreadableJson)) throw error;
    const isUnreadable = error instanceof UnreadableJson;
    const code = isUnreadable && error.isTooLarge ? 'ERR_WAREHOUSE_TOO_LARGE' : 'ERR_WAREHOUSE_UNREADABLE';
    const why = isUnreadable ? `, unreadable: ${error.message}` : ` ${error.message}`;
    throw new DocklineError(code, `${describeCall(target)} answered ${answer.status}${why}`, {
      status: answer.status,
    });
  }
}

function parse({ status, headers, text }: Answer): object {
  if (status !== OK) throw new UnprovenAnswer('instead of 200');
  const type = headers['content-type'] ?? 'application/json';
  if (!/\bjson\b/i.test(type) || /\bproblem\b/i.test(type))
    throw new UnprovenAnswer(`with ${shown(type)}, not a record in JSON`);
  if (text === '') throw new UnprovenAnswer('with nothing');
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) throw new UnprovenAnswer('with neither an object nor a list');
  return value;
}

const OK = 200;

/** Drops parameters; another side wrote it. */
const shown = (type: string): string => type.replace(/[^\w/+.-].*/s, '').slice(0, 60);
