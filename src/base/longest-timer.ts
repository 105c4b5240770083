/** Longest timer of Temporal that a workflow accepts: ten years, in milliseconds. Temporal rejects much longer ones. */
export const LONGEST_TIMER_MS = 315_360_000_000;
