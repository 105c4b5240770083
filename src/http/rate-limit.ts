/** Counts a request. Undefined within the limit, otherwise the seconds until the next window. */
type RateLimit = (key: string) => number | undefined;

/** Begins with the first count. */
export interface Window {
  readonly endsAt: number;
  count: number;
}

const MINUTE_MS = 60_000;

/** Counts in the current window, or in a new one if that is over. */
export function countIn(current: Window | undefined, time: number, count = 1, lengthMs = MINUTE_MS): Window {
  const window = current && time < current.endsAt ? current : { endsAt: time + lengthMs, count: 0 };
  window.count += count;
  return window;
}

/** Rounded up. */
export const secondsLeft = ({ endsAt }: Window, time: number): number => Math.ceil((endsAt - time) / 1000);

/** Windows of a minute, each of which begins with a request. The keys are few and known. */
export function createRateLimit({
  requestsPerMinute,
  now = () => performance.now(),
}: {
  readonly requestsPerMinute: number;
  readonly now?: () => number;
}): RateLimit {
  const windows = new Map<string, Window>();
  return (key) => {
    const time = now();
    const window = countIn(windows.get(key), time);
    windows.set(key, window);
    return window.count > requestsPerMinute ? secondsLeft(window, time) : undefined;
  };
}
