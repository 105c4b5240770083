/** Work in rounds, until it is closed. */
export interface Loop {
  start(inMs?: number): void;
  /** After the round in progress. */
  wake(): void;
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
    wake: () => awake.resolve(),
    async close() {
      closing.abort();
      awake.resolve();
      await running;
    },
  };
}
