/** How many rows wait: exact where this process alone changes them, else about right. */
export interface WaitingCount {
  value(): number;
  /** So many more, or fewer, wait since a commit of this process. */
  change(by: number): void;
}

/** Others' changes are looked for that often at most, in milliseconds, */
const REFRESH_MS = 1000;

/** and so many times as long as counting took at least: counting a million rows must not become the database's work. */
const SHARE = 20;

/** Counts once, and again now and then when it is asked for and others may have changed the rows. */
export async function createWaitingCount({
  count,
  isShared,
}: {
  readonly count: () => Promise<number>;
  readonly isShared: boolean;
}): Promise<WaitingCount> {
  let value = await count();
  let dueAt = performance.now() + REFRESH_MS;
  let addedMeanwhile = 0;

  async function refresh(): Promise<void> {
    const startedAt = performance.now();
    dueAt = Number.POSITIVE_INFINITY;
    addedMeanwhile = 0;
    try {
      // Too many for a moment is better than idle while something waits.
      value = (await count()) + addedMeanwhile;
    } catch {
      // What is known has to do until the database is back; whoever works with it tells of that.
    }
    const endedAt = performance.now();
    dueAt = endedAt + Math.max(REFRESH_MS, SHARE * (endedAt - startedAt));
  }

  return {
    value() {
      if (isShared && performance.now() >= dueAt) void refresh();
      return Math.max(0, value);
    },
    change(by) {
      value += by;
      if (by > 0) addedMeanwhile += by;
    },
  };
}
