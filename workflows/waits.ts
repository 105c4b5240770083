import { CancellationScope } from '@temporalio/workflow';
import type { SubjectState } from './state.ts';

/** The warehouse among destinations, none of which has an empty name. */
export const WAREHOUSE = '';

/**
 * Does something that may wait for its next attempt, until somebody ends the wait: then returns undefined, what was in
 * flight is completed, and the rest is to be done anew.
 */
export async function unlessExpedited<T>(
  { waits }: SubjectState,
  destination: string,
  act: () => Promise<T>,
): Promise<T | undefined> {
  const scope = new CancellationScope();
  let isExpedited = false;
  const end = () => {
    isExpedited = true;
    scope.cancel();
  };
  waits.set(destination, [...(waits.get(destination) ?? []), end]);
  try {
    return await scope.run(act);
  } catch (error) {
    // An attempt in flight that fails after its cancellation is not retried by Temporal.
    if (isExpedited) return undefined;
    throw error;
  } finally {
    waits.set(destination, waits.get(destination)?.filter((it) => it !== end) ?? []);
  }
}

export function endWaits({ waits }: SubjectState, destination: string): void {
  for (const end of waits.get(destination) ?? []) end();
}

/** What is to be retrieved has changed, or somebody asks for a GET now. */
export function expediteRetrieval(state: SubjectState): void {
  state.expedited += 1;
  endWaits(state, WAREHOUSE);
}
