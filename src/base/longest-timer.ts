/** Ten years; Temporal rejects much longer timers. */
export const LONGEST_TIMER_MS = 315_360_000_000;
