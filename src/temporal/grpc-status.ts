/** The gRPC status codes that are a verdict on a request: sent again as it is, it fails again. */
export const refusalCodes: ReadonlySet<number> = new Set([
  3, // INVALID_ARGUMENT
  5, // NOT_FOUND
  6, // ALREADY_EXISTS
  9, // FAILED_PRECONDITION
  11, // OUT_OF_RANGE
]);

/** Whether the server refused a message for its size: it says so with the code of overload, RESOURCE_EXHAUSTED. */
export function isTooLarge({ code, details }: { readonly code: number; readonly details: string }): boolean {
  return code === 8 && /larger than max/.test(details);
}
