export const HOLD_MS = 60_000;

/** A beginning in the future is from before a clock was set right. */
export const isHeld = (since: number | null, now: number): boolean =>
  since !== null && (since > now || now - since >= HOLD_MS);
