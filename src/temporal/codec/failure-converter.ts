import { SoundFailureConverter } from '../failure-converter.ts';

/** Moves messages and stacks into payloads, so that the codec encrypts them. The SDK finds it by name. */
export const failureConverter = new SoundFailureConverter({ encodeCommonAttributes: true });
