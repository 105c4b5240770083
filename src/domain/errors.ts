/**
 * Every failure that Dockline names, and the one question that decides on it: could the same request succeed later because
 * someone acted? `soon` and `slowly` are retried for ever, `never` is not.
 */
export const failures = {
  ERR_WAREHOUSE_UNREACHABLE: 'soon',
  ERR_WAREHOUSE_RATE_LIMITED: 'soon',
  ERR_WAREHOUSE_FAILED: 'soon',
  ERR_WAREHOUSE_UNREADABLE: 'slowly',
  ERR_WAREHOUSE_UNAUTHENTICATED: 'slowly',
  ERR_WAREHOUSE_FORBIDDEN: 'slowly',
  ERR_WAREHOUSE_NOT_FOUND: 'never',
  ERR_WAREHOUSE_REFUSED: 'never',
  ERR_WAREHOUSE_UNFILTERED: 'never',
  ERR_DESTINATION_UNREACHABLE: 'soon',
  ERR_DESTINATION_FAILED: 'soon',
  ERR_DESTINATION_REFUSED: 'soon',
  ERR_DESTINATION_ADDRESS: 'slowly',
  ERR_STORE_UNAVAILABLE: 'soon',
} as const;

/** A literal error code: `ERR_`, its source, its reason. */
export type FailureCode = keyof typeof failures;

/** What went wrong on the way to another side, in one word: the system's code, or else the error's name. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** A failure with its code and what a handler needs of it; the message carries no secret, body or query string. */
export class DocklineError extends Error {
  override readonly name = 'DocklineError';
  readonly code: FailureCode;
  /** What the other side asked us to wait, in milliseconds, if it said so. */
  readonly retryAfterMs: number | undefined;
  /** The status of HTTP that the other side answered with; undefined where it did not answer. */
  readonly status: number | undefined;

  constructor(
    code: FailureCode,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined; status?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
  }
}

/** Whether the database could not be reached, whatever was asked of it. */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof DocklineError && error.code === 'ERR_STORE_UNAVAILABLE';
