import { growingPauseMs } from './growing-pause.ts';

/** Who pauses after failures, each with its own growing pause. */
export interface Pauses {
  /** Whether it pauses now. */
  has(key: string): boolean;
  /** How often it failed in a row. */
  failures(key: string): number;
  /** Begins a pause, longer than the last one; does nothing while one is under way. */
  begin(key: string): void;
  /** Forgets its failures and ends its pause; says whether there were any. */
  clear(key: string): boolean;
  /** Ends all pauses without a word to anyone. */
  close(): void;
}

/** Pauses that call `onEnd` with the key when one is over. */
export function createPauses({
  onEnd,
  random,
}: {
  readonly onEnd: (key: string) => void;
  readonly random: () => number;
}): Pauses {
  const states = new Map<string, { failures: number; timer: NodeJS.Timeout | undefined }>();

  return {
    has: (key) => states.get(key)?.timer !== undefined,
    failures: (key) => states.get(key)?.failures ?? 0,

    begin(key) {
      const state = states.get(key) ?? { failures: 0, timer: undefined };
      if (state.timer) return;
      state.failures += 1;
      state.timer = setTimeout(
        () => {
          state.timer = undefined;
          onEnd(key);
        },
        growingPauseMs(state.failures, random),
      );
      states.set(key, state);
    },

    clear(key) {
      clearTimeout(states.get(key)?.timer);
      return states.delete(key);
    },

    close() {
      for (const { timer } of states.values()) clearTimeout(timer);
      states.clear();
    },
  };
}
