import type { Exchange } from './outgoing.ts';

/** `soon`: it may pass by itself; `slowly`: a person is needed first; `never`: the same request will not succeed. */
export const failures = {
  ERR_WAREHOUSE_UNREACHABLE: 'soon',
  ERR_WAREHOUSE_RATE_LIMITED: 'soon',
  ERR_WAREHOUSE_FAILED: 'soon',
  ERR_WAREHOUSE_UNREADABLE: 'soon',
  ERR_WAREHOUSE_TOKEN: 'soon',
  ERR_WAREHOUSE_UNAUTHENTICATED: 'slowly',
  ERR_WAREHOUSE_FORBIDDEN: 'slowly',
  ERR_WAREHOUSE_NOT_YET: 'soon',
  ERR_WAREHOUSE_BUSY: 'soon',
  ERR_WAREHOUSE_NOT_FOUND: 'never',
  ERR_WAREHOUSE_REFUSED: 'never',
  ERR_WAREHOUSE_TOO_LARGE: 'never',
  ERR_WAREHOUSE_UNEXPECTED: 'never',
  ERR_WAREHOUSE_UNFILTERED: 'never',
  ERR_DESTINATION_UNREACHABLE: 'soon',
  ERR_DESTINATION_FAILED: 'soon',
  ERR_DESTINATION_REFUSED: 'soon',
  ERR_DESTINATION_ADDRESS: 'slowly',
  ERR_DESTINATION_UNKNOWN: 'slowly',
  ERR_STORE_UNAVAILABLE: 'soon',
} as const;

export type FailureCode = keyof typeof failures;

/** The system's code, or else the error's name. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The message contains no secret, body or query string. */
export class DocklineError extends Error {
  override readonly name = 'DocklineError';
  readonly code: FailureCode;
  readonly retryAfterMs: number | undefined;
  /** HTTP status, or reply code of a broker; undefined without an answer. */
  readonly status: number | undefined;
  // Private, since whatever logs an error writes its fields, and this one has what the other side answered.
  readonly #exchange: Exchange | undefined;

  constructor(
    code: FailureCode,
    message: string,
    options: {
      cause?: unknown;
      retryAfterMs?: number | undefined;
      status?: number | undefined;
      exchange?: Exchange;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
    this.#exchange = options.exchange;
  }

  /** For those who may read the answer; undefined if it was not over HTTP. */
  get exchange(): Exchange | undefined {
    return this.#exchange;
  }
}

export const isStoreFailure = (error: unknown): boolean =>
  error instanceof DocklineError && error.code === 'ERR_STORE_UNAVAILABLE';
