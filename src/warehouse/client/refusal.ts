import { DocklineError, type FailureCode } from '../../domain/errors.ts';
import { parseRetryAfter } from '../../domain/retry-policy.ts';
import { type Answer, describeCall, type Target } from './transport.ts';

/** Codes of single statuses (specification section 7; 404, 410 and 429 as seen in the real system). */
const codes: { readonly [status: number]: FailureCode } = {
  401: 'ERR_WAREHOUSE_UNAUTHENTICATED',
  403: 'ERR_WAREHOUSE_FORBIDDEN',
  404: 'ERR_WAREHOUSE_NOT_FOUND',
  410: 'ERR_WAREHOUSE_NOT_FOUND',
  429: 'ERR_WAREHOUSE_RATE_LIMITED',
};

const codeOf = (status: number): FailureCode =>
  codes[status] ?? (status >= 500 ? 'ERR_WAREHOUSE_FAILED' : 'ERR_WAREHOUSE_REFUSED');

/** Reports whether an answer is a success. */
export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299;
}

/** Hint for a 403: roles limit a credential's operations; a multi-tenant one reads no data at all (specification 5.1, 5.4). */
const FORBIDDEN_HINT = ': the roles of the credential do not allow it, or it is a multi-tenant credential';

/** Creates the failure for an answer other than 2xx. Of the body it contains only the warehouse's `ErrorCode`. */
export function refusalOf(
  target: Target,
  answer: Answer,
  code = codeOf(answer.status),
  hint = code === 'ERR_WAREHOUSE_FORBIDDEN' ? FORBIDDEN_HINT : '',
): DocklineError {
  const errorCode = /"ErrorCode"\s*:\s*"(\w{1,64})"/i.exec(answer.text)?.[1];
  const message = `${describeCall(target)} answered ${answer.status}${errorCode ? ` (ErrorCode ${errorCode})` : ''}${hint}`;
  return new DocklineError(code, message, {
    ...{ retryAfterMs: parseRetryAfter(answer.headers['retry-after']), status: answer.status },
  });
}
