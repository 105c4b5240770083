/** Error response of the warehouse: status, body (JSON or plain text) and headers. */
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

/** Error code of the warehouse. */
type VendorErrorCode = 'NotParsable' | 'Required' | 'Forbidden' | 'NotFound' | 'NotSupported';

/** Creates an error in the form of 400, 403 and 404: `{"$type", "ErrorCode", "Hint"}`. */
export function vendorError(statusCode: number, code: VendorErrorCode, hint: string): VendorError {
  return new VendorError(statusCode, {
    $type: `Warehouse.Api.Exceptions.${code}Exception, Warehouse.Api`,
    ErrorCode: code,
    Hint: hint,
  });
}

/** Creates an error in the form of 401: `{"Message"}`. */
export const unauthenticated = (message: string): VendorError => new VendorError(401, { Message: message });
