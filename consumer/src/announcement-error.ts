/** Reason for which bytes are not taken as an announcement, or a record was not had. */
export type AnnouncementErrorCode =
  /** A header of Standard Webhooks is absent, or there with two values; or `webhook-id` is not the id in the body. */
  | 'ERR_HEADERS'
  /** The timestamp is no number of seconds, or further from now than the tolerance. */
  | 'ERR_TIMESTAMP'
  /** No secret made any of the signatures over these bytes. */
  | 'ERR_SIGNATURE'
  /** The bytes are not what Dockline's contract says. */
  | 'ERR_MALFORMED'
  /** A record that was left out of an announcement cannot be fetched. */
  | 'ERR_RECORD';

/** Error of bytes that are not an authentic, well-formed announcement, or of a record that cannot be fetched. */
export class AnnouncementError extends Error {
  override readonly name = 'AnnouncementError';
  readonly code: AnnouncementErrorCode;
  /** Status of the answer that there was instead of a record. */
  readonly status: number | undefined;

  constructor(
    code: AnnouncementErrorCode,
    message: string,
    { status, ...options }: ErrorOptions & { readonly status?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
  }
}
