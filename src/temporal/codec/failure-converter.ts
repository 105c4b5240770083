import { DefaultFailureConverter } from '@temporalio/common';

/** Moves messages and stack traces of failures into payloads, so that the codec encrypts them. The SDK finds it by name. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
