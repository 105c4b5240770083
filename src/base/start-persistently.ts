import pRetry from 'p-retry';

const MAX_BACKOFF_MS = 10_000;

/** Reports the first failure. */
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
      maxTimeout: MAX_BACKOFF_MS,
      signal: stopping.signal,
      onFailedAttempt: ({ error, attemptNumber }) => {
        if (attemptNumber === 1) onFirstFailure(error);
      },
    },
  );
  started.catch(() => undefined);
  return {
    /** Resolves once it has started; rejects if it is closed first. */
    started,
    async close() {
      stopping.abort();
      // An attempt in progress may still succeed; close its result.
      await attempt?.then(
        (it) => it.close(),
        () => undefined,
      );
    },
  };
}
