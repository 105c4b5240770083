/** Secret of the endpoint `hmac`. */
export const SECRET = 'a-shared-secret-of-some-length';

/** Maximum size of a body, in bytes. */
export const BODY_BYTES = 1_048_576;

/** Message of the process under test. */
export interface Report {
  readonly url?: string;
  readonly residentBytes?: number;
  readonly line?: string;
}
