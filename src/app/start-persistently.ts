import pRetry from 'p-retry';

/** The longest pause between two attempts, in milliseconds. */
const LONGEST_PAUSE_MS = 10_000;

/** Starts something again and again until it succeeds or is closed; the first failure is told. */
export function startPersistently<T extends { close(): Promise<void> }>(
  start: () => Promise<T>,
  onFirstFailure: (error: Error) => void,
) {
  const stopping = new AbortController();
  let attempt: Promise<T> | undefined;
  const started = pRetry(
    () => {
      attempt = start();
      return attempt;
    },
    {
      retries: Number.POSITIVE_INFINITY,
      maxTimeout: LONGEST_PAUSE_MS,
      signal: stopping.signal,
      onFailedAttempt: ({ error, attemptNumber }) => {
        if (attemptNumber === 1) onFirstFailure(error);
      },
    },
  );
  started.catch(() => undefined);
  return {
    /** Resolves once it has started; rejects if it is closed before. */
    started,
    async close() {
      stopping.abort();
      // An attempt under way ends in its own time; what it has started must not outlive this.
      await attempt?.then(
        (it) => it.close(),
        () => undefined,
      );
    },
  };
}
