import { DefaultFailureConverter } from '@temporalio/common';
import { sound } from '../base/text.ts';

/** Half a character in a failure's message would end the worker. */
export class SoundFailureConverter extends DefaultFailureConverter {
  override errorToFailure(...args: Parameters<DefaultFailureConverter['errorToFailure']>) {
    // It converts the causes, too.
    const failure = super.errorToFailure(...args);
    const { message, stackTrace, applicationFailureInfo: info } = failure;
    return {
      ...failure,
      ...(message && { message: sound(message) }),
      ...(stackTrace && { stackTrace: sound(stackTrace) }),
      ...(info?.type && { applicationFailureInfo: { ...info, type: sound(info.type) } }),
    };
  }
}

/** The SDK finds it by name. */
export const failureConverter = new SoundFailureConverter();
