/** Age at which a value is computed again: a multiple of the time that computing it took, within limits in milliseconds. */
const COST_FACTOR = 50;
const [LEAST_MS, MOST_MS] = [250, 450];

/** Creates a function that computes a value at most four times per second for all callers, and less often, if that takes long. */
export function createCached<T>(compute: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  let dueAt = 0;
  return () => {
    if (value === undefined || performance.now() >= dueAt) {
      const startedAt = performance.now();
      dueAt = Number.POSITIVE_INFINITY;
      value = compute();
      value.then(
        () => {
          const now = performance.now();
          dueAt = now + Math.min(MOST_MS, Math.max(LEAST_MS, COST_FACTOR * (now - startedAt)));
        },
        () => {
          dueAt = 0;
        },
      );
    }
    return value;
  };
}
