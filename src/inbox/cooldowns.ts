/** Creates cooldowns after failures, by key. Each calls `onEnd` with its key at its end. */
export function createCooldowns({
  onEnd,
  random,
}: {
  readonly onEnd: (key: string) => void;
  readonly random: () => number;
}) {
  const states = new Map<string, { failures: number; timer: NodeJS.Timeout | undefined }>();

  return {
    /** Reports whether a key is cooling down. */
    has: (key: string) => states.get(key)?.timer !== undefined,
    /** Returns the number of consecutive failures of a key. */
    failures: (key: string) => states.get(key)?.failures ?? 0,
    /** Starts a cooldown, longer than the last one, unless one is running. */
    begin(key: string) {
      const state = states.get(key) ?? { failures: 0, timer: undefined };
      if (state.timer) return;
      state.failures += 1;
      const end = () => {
        state.timer = undefined;
        onEnd(key);
      };
      state.timer = setTimeout(end, backoffMs(state.failures, random));
      states.set(key, state);
    },
    /** Resets the failures of a key and ends its cooldown; reports whether there were any. */
    clear(key: string) {
      clearTimeout(states.get(key)?.timer);
      return states.delete(key);
    },
    /** Ends all cooldowns without calling `onEnd`. */
    close() {
      for (const { timer } of states.values()) clearTimeout(timer);
      states.clear();
    },
  };
}

const INITIAL_MS = 100;
const MAX_MS = 10_000;

/** Returns the exponential backoff after the n-th consecutive failure, counted from 1, with up to 50% jitter. */
export function backoffMs(failures: number, random: () => number): number {
  return Math.min(MAX_MS, INITIAL_MS * 2 ** (failures - 1)) * (1 - random() / 2);
}
