import { hasLasted } from '../domain/health/incident.ts';

/** In milliseconds. */
export const HOLD_MS = 60_000;

/** Reports whether something has failed for long enough. */
export const isHeld = (since: number | null, now: number): boolean => since !== null && hasLasted(since, now, HOLD_MS);

/** In milliseconds. */
const CHECKED_AFTER_MS = 10_000;

/** Time at which that is held which is checked now. */
export const checkedAt = (now: number): number => now + HOLD_MS - CHECKED_AFTER_MS;

/** Reports whether something has failed for some seconds, and is an incident if it lasts. */
export const isChecked = (since: number | null, now: number): boolean =>
  isHeld(since, checkedAt(now)) && !isHeld(since, now);
