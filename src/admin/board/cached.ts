/** Minimum age of a value, in milliseconds and as a multiple of the time that computing it took. */
const AGE_MS = 1000;
const COST_FACTOR = 20;

/** Creates a function that computes a value at most once per second for all callers, and less often if that takes long. */
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
          dueAt = now + Math.max(AGE_MS, COST_FACTOR * (now - startedAt));
        },
        () => {
          dueAt = 0;
        },
      );
    }
    return value;
  };
}
