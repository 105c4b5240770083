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

export function atMostEvery<Values extends readonly unknown[]>(
  ms: number,
  call: (...values: Values) => void,
  now = () => performance.now(),
): (...values: Values) => void {
  let calledAt = -Infinity;
  return (...values) => {
    const time = now();
    if (time - calledAt < ms) return;
    calledAt = time;
    call(...values);
  };
}

export interface Loop {
  start(inMs?: number): void;
  /** After the round in progress. */
  nudge(): void;
  /** Resolves when the round in progress has ended. */
  close(): Promise<void>;
}

/** A round returns the milliseconds until the next one, and may end early when `closing` is aborted; it must not reject. */
export function createLoop(round: (closing: AbortSignal) => Promise<number>): Loop {
  const closing = new AbortController();
  let awake = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;

  async function run(inMs: number): Promise<void> {
    for (let waitMs = inMs; ; waitMs = await round(closing.signal)) {
      await rest(waitMs);
      if (closing.signal.aborted) return;
      awake = Promise.withResolvers();
    }
  }

  async function rest(ms: number): Promise<void> {
    if (ms <= 0) return;
    const timer = setTimeout(awake.resolve, ms);
    await awake.promise;
    clearTimeout(timer);
  }

  return {
    start(inMs = 0) {
      running ??= run(inMs);
    },
    nudge: () => awake.resolve(),
    async close() {
      closing.abort();
      awake.resolve();
      await running;
    },
  };
}

/** Computes once at a time for all who ask. A failure is told to those who asked. */
export function singleFlight<T>(holdsMs: number, compute: () => Promise<T>) {
  let value: Promise<T> | undefined;
  let isRunning = false;
  let until = 0;

  function start(): Promise<T> {
    const computed = compute();
    value = computed;
    isRunning = true;
    until = Infinity;
    const end = (ms: number) => () => {
      isRunning = false;
      until = Math.min(until, performance.now() + ms);
    };
    computed.then(end(holdsMs), end(0));
    return computed;
  }

  function read(): Promise<T> {
    if (value === undefined) return start();
    if (performance.now() < until) return value;
    return isRunning ? value.then(read, read) : start();
  }

  return {
    read,
    /** Also a value that is being computed: those who ask from now on get the next one. */
    expire() {
      until = 0;
    },
  };
}
