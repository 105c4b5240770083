const FIRST_MS = 100;
const LONGEST_MS = 10_000;

/** The pause after the given failure in a row, the first being 1: from 100 ms to 10 s, doubling, up to half of it taken off by chance. */
export function growingPauseMs(failure: number, random: () => number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failure - 1)) * (1 - random() / 2);
}
