/** A refusal as the warehouse writes it: a status, a body (JSON, or plain text) and headers. */
export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly statusCode: number;
  readonly body: object | string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, body: object | string, headers: Readonly<Record<string, string>> = {}) {
    super(`Refused with ${statusCode}`);
    this.statusCode = statusCode;
    this.body = body;
    this.headers = headers;
  }
}

/** The codes that errors of the warehouse carry. */
export type VendorErrorCode = 'NotParsable' | 'Required' | 'Forbidden' | 'NotFound';

/** The error form of 400, 403 and 404: `{"$type", "ErrorCode", "Hint"}`. */
export function vendorError(statusCode: number, code: VendorErrorCode, hint: string): VendorError {
  return new VendorError(statusCode, {
    $type: `Warehouse.Api.Exceptions.${code}Exception, Warehouse.Api`,
    ErrorCode: code,
    Hint: hint,
  });
}

/** The error form of 401: `{"Message"}`. */
export function unauthenticated(message: string): VendorError {
  return new VendorError(401, { Message: message });
}
