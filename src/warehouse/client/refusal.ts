import { DocklineError, type FailureCode } from '../../domain/errors.ts';
import { parseRetryAfter } from '../../domain/retry-policy.ts';
import { type Answer, describeCall, type Target } from './transport.ts';

/** The codes of the statuses that have one of their own (specification section 7; 404, 410 and 429 as seen). */
const codes: { readonly [status: number]: FailureCode } = {
  401: 'ERR_WAREHOUSE_UNAUTHENTICATED',
  403: 'ERR_WAREHOUSE_FORBIDDEN',
  404: 'ERR_WAREHOUSE_NOT_FOUND',
  410: 'ERR_WAREHOUSE_NOT_FOUND',
  429: 'ERR_WAREHOUSE_RATE_LIMITED',
};

const codeOf = (status: number): FailureCode =>
  codes[status] ?? (status >= 500 ? 'ERR_WAREHOUSE_FAILED' : 'ERR_WAREHOUSE_REFUSED');

/** Whether an answer is a success. */
export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status <= 299;
}

/** Who may do what is in the credential's roles; a multi-tenant one is for no data at all (specification 5.1, 5.4). */
const FORBIDDEN_HINT = ': the roles of the credential do not allow it, or it is a multi-tenant credential';

/** The failure that an answer other than 2xx stands for. Of the body only the warehouse's `ErrorCode` is told. */
export function refusalOf(target: Target, answer: Answer, code = codeOf(answer.status)): DocklineError {
  const errorCode = /"ErrorCode"\s*:\s*"(\w{1,64})"/i.exec(answer.text)?.[1];
  const hint = code === 'ERR_WAREHOUSE_FORBIDDEN' ? FORBIDDEN_HINT : '';
  const message = `${describeCall(target)} answered ${answer.status}${errorCode ? ` (ErrorCode ${errorCode})` : ''}${hint}`;
  return new DocklineError(code, message, {
    ...{ retryAfterMs: parseRetryAfter(answer.headers['retry-after']), status: answer.status },
  });
}
