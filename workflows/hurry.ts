import { CancellationScope } from '@temporalio/workflow';
import type { SubjectState } from './state.ts';

/**
 * Does something that may wait before it tries a destination again, until it has ended or somebody ends the wait. Returns undefined in the
 * latter case: what was in flight is completed, and the rest is to be done anew.
 */
export async function unlessHurried<T>(
  { waits }: SubjectState,
  destination: string,
  act: () => Promise<T>,
): Promise<T | undefined> {
  const scope = new CancellationScope();
  let isHurried = false;
  const hurry = () => {
    isHurried = true;
    scope.cancel();
  };
  waits.set(destination, [...(waits.get(destination) ?? []), hurry]);
  try {
    return await scope.run(act);
  } catch (error) {
    // An attempt in flight that fails after its cancellation is not retried by Temporal.
    if (isHurried) return undefined;
    throw error;
  } finally {
    waits.set(destination, waits.get(destination)?.filter((it) => it !== hurry) ?? []);
  }
}

/** Ends the waits for the next attempt to send something to a destination. */
export function endWaits({ waits }: SubjectState, destination: string): void {
  for (const hurry of waits.get(destination) ?? []) hurry();
}
