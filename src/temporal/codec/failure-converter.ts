import { DefaultFailureConverter } from '@temporalio/common';

/** Puts messages and stack traces of failures into payloads, which the codec then encrypts; the SDK finds it by its name. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
