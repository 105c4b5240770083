/** Secret of the endpoint `hmac`. */
export const SECRET = 'a-shared-secret-of-some-length';

/** Limits of the webhook under test: times in milliseconds, sizes in bytes. */
export const limits = {
  ...{ headersMs: 1500, requestMs: 3000, idleMs: 500, trustedIdleMs: 500, connections: 500 },
  ...{ bodyBytes: 1_048_576, arrivingBytes: 33_554_432 },
} as const;
