/** Who rests after having been served, so that events gather for the next time. */
export interface Rests {
  /** Whether it rests now. */
  has(key: string): boolean;
  /** Begins a rest: the longer, the more often the key was served lately. */
  begin(key: string): void;
  /** Ends all rests without a word to anyone. */
  close(): void;
}

/** How much longer each rest is than the one before, and the longest, in milliseconds. */
const STEP_MS = 10;
const LONGEST_MS = 200;

/** Whoever was not served for so long begins anew, in milliseconds. */
const FORGET_MS = 1000;

/**
 * Rests that call `onEnd` with the key when one is over. Temporal gives up a workflow's task for which more than a hundred signals
 * wait, and such a task can last up to ten seconds; with these rests some sixty come meanwhile, eighty at worst.
 */
export function createRests({
  onEnd,
  now = Date.now,
}: {
  readonly onEnd: (key: string) => void;
  readonly now?: () => number;
}): Rests {
  /** How often a key was served lately and when the last time was, that of the longest ago first. */
  const served = new Map<string, { readonly times: number; readonly at: number }>();
  const resting = new Map<string, NodeJS.Timeout>();

  function forget(): void {
    for (const [key, { at }] of served) {
      if (now() - at < FORGET_MS) return;
      served.delete(key);
    }
  }

  return {
    has: (key) => resting.has(key),

    begin(key) {
      forget();
      const times = (served.get(key)?.times ?? 0) + 1;
      served.delete(key);
      served.set(key, { times, at: now() });
      const end = () => {
        resting.delete(key);
        onEnd(key);
      };
      resting.set(key, setTimeout(end, Math.min(LONGEST_MS, times * STEP_MS)));
    },

    close() {
      for (const timer of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}
