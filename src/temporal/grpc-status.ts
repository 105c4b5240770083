/** gRPC status codes that are a verdict on the request: it fails again when repeated. */
export const refusalCodes: ReadonlySet<number> = new Set([
  3, // INVALID_ARGUMENT
  5, // NOT_FOUND
  6, // ALREADY_EXISTS
  9, // FAILED_PRECONDITION
  11, // OUT_OF_RANGE
]);

/** Reports whether the server refused a message for its size, which it does with RESOURCE_EXHAUSTED, the code of overload. */
export function isTooLarge({ code, details }: { readonly code: number; readonly details: string }): boolean {
  return code === 8 && /larger than max/.test(details);
}
