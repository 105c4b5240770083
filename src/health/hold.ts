/** In milliseconds. */
export const HOLD_MS = 60_000;

/** Reports whether something has failed for long enough. What began in the future began before a clock was set right. */
export const isHeld = (since: number | null, now: number): boolean =>
  since !== null && (since > now || now - since >= HOLD_MS);
