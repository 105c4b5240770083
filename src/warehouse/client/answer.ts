import { parseJson, refuseTwins, UnreadableJson } from '../../base/untrusted-json.ts';
import { DocklineError, type FailureCode } from '../../domain/errors.ts';
import { parseRetryAfter } from '../../domain/retry-policy.ts';
import { isErrorAnswer, isSameId, type OwnPlaces, ownIdOf, readId, readText } from '../../domain/wire-values.ts';
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

/** Its message completes "answered …". */
export class UnprovenAnswer extends Error {
  override readonly name = 'UnprovenAnswer';
}

interface Asked extends OwnPlaces {
  /** Named in messages, such as `order`. */
  readonly what: string;
  readonly id: string;
}

/** Throws `UnprovenAnswer` for an error in place of a resource, `UnreadableJson` for two values under one name. */
export function refuseErrors(value: unknown): void {
  if (isErrorAnswer(value)) throw new UnprovenAnswer('with an error');
  refuseTwins(value);
}

/** Throws `UnprovenAnswer` for a record other than the one asked for ({@link ownIdOf}). */
export function proveRecord(record: unknown, { what, id, ...places }: Asked): void {
  refuseErrors(record);
  const own = ownIdOf(record, places);
  if (own === undefined)
    throw new UnprovenAnswer(
      `without the id of ${what} ${id} at ${places.idPath} (if it has another name, set ${what}.id in WAREHOUSE_PROPERTIES)`,
    );
  if (!isSameId(own, id)) throw new UnprovenAnswer(`with ${what} ${own}, not ${id}`);
}

const SEARCHED = 20_000;

/**
 * Checks that a pick list belongs to a pick job. No pick list was published, so the job's id, or a link to it, may be
 * anywhere; an answer that names only other jobs, or none, fails. Throws `UnprovenAnswer`.
 */
export function provePickList(list: unknown, jobId: string): void {
  refuseErrors(list);
  let left = SEARCHED;
  const names = (value: unknown, name: string): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).some(([key, member]) => names(member, Array.isArray(value) ? name : key));
    }
    const job = /^(?:pick)?(?:job)?id$/i.test(name) ? readId(value) : PICK_JOB.exec(readText(value) ?? '')?.[1];
    return isSameId(job, jobId);
  };
  if (!names(list, '')) throw new UnprovenAnswer(`without the id of pick job ${jobId}`);
}

const PICK_JOB = /\/pickjobs\/([^/?#{]+)/i;
