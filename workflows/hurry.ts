import { CancellationScope, patched } from '@temporalio/workflow';
import type { SubjectState } from './state.ts';

/** Stands for the warehouse among destinations, none of which has an empty name. */
export const WAREHOUSE = '';

/**
 * Does something that may wait before it tries a destination, or the warehouse, again, until it has ended or somebody ends the wait. Returns undefined in the
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

export function endWaits({ waits }: SubjectState, destination: string): void {
  for (const hurry of waits.get(destination) ?? []) hurry();
}

/** Ends the wait for the next attempt to retrieve: what is to be retrieved has changed, or somebody asks for a GET now. */
export function hurryRetrieval(state: SubjectState): void {
  state.hurries += 1;
  if (state.waits.get(WAREHOUSE)?.length && patched('refresh-now')) endWaits(state, WAREHOUSE);
}

/** Reports whether a retrieval was hurried since it was so many times: it begins anew, whatever is being retried. */
export const isHurried = ({ hurries }: SubjectState, before: number): boolean =>
  hurries > before && patched('refresh-now');
