/** Counts failed attempts of each address. */
export interface Attempts {
  /** Reports whether the address has used up its attempts of this minute. */
  isUsedUp(address: string): boolean;
  failed(address: string): void;
}

const MINUTE = 60_000;

/** Creates a limit of failed attempts per address and minute. */
export function createAttempts(limit: number, now: () => number = Date.now): Attempts {
  const failures = new Map<string, number>();
  let minute = 0;
  const inThisMinute = (): Map<string, number> => {
    const current = Math.floor(now() / MINUTE);
    if (current !== minute) failures.clear();
    minute = current;
    return failures;
  };
  return {
    isUsedUp: (address) => (inThisMinute().get(address) ?? 0) >= limit,
    failed: (address) => void inThisMinute().set(address, (failures.get(address) ?? 0) + 1),
  };
}
