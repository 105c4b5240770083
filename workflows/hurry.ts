import { CancellationScope, patched } from '@temporalio/workflow';
import type { SubjectState } from './state.ts';

/** The warehouse among destinations, none of which has an empty name. */
export const WAREHOUSE = '';

/**
 * Does something that may wait for its next attempt, until somebody ends the wait: then returns undefined, what was in
 * flight is completed, and the rest is to be done anew.
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

export function endWaits({ waits }: SubjectState, destination: string): void {
  for (const hurry of waits.get(destination) ?? []) hurry();
}

/** What is to be retrieved has changed, or somebody asks for a GET now. */
export function hurryRetrieval(state: SubjectState): void {
  state.hurries += 1;
  if (state.waits.get(WAREHOUSE)?.length && patched('refresh-now')) endWaits(state, WAREHOUSE);
}

/** Compares with an earlier count: a hurried retrieval begins anew. */
export const isHurried = ({ hurries }: SubjectState, before: number): boolean =>
  hurries > before && patched('refresh-now');
