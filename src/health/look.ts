import { isHeld } from './hold.ts';

/** Look at something outside, which may take long or hang. */
interface LookOptions<T> {
  readonly read: () => Promise<T>;
  /** In milliseconds. */
  readonly everyMs: number;
  /** Until it was read once. */
  readonly initial: T;
  readonly now: () => number;
}

/**
 * Creates a function that answers at once with what was read last, and reads again if that is old. It throws the error of a reading that has
 * failed for a while, since nothing is known then.
 */
export function createLook<T>({ read, everyMs, initial, now }: LookOptions<T>): () => T {
  let value = initial;
  let readAt = Number.NEGATIVE_INFINITY;
  let isReading = false;
  let failure: { readonly since: number; readonly error: unknown } | undefined;

  async function readAgain(): Promise<void> {
    isReading = true;
    try {
      value = await read();
      failure = undefined;
    } catch (error) {
      failure = { since: failure?.since ?? now(), error };
    }
    readAt = performance.now();
    isReading = false;
  }

  return () => {
    if (!isReading && performance.now() - readAt > everyMs) void readAgain();
    if (failure && isHeld(failure.since, now())) throw failure.error;
    return value;
  };
}
