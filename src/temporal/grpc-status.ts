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

/** Reports whether nobody can answer a query now, though it is a good one: no worker polls, or the workflow's task fails. */
export function isUnanswered({ code, details }: { readonly code: number; readonly details: string }): boolean {
  return code === 9 && /no poller seen|workflow task in failed state/i.test(details);
}
