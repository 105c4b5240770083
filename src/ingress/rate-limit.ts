/** Counts a request of a key. Returns undefined if it is within the limit, otherwise the seconds until the next window. */
export type RateLimit = (key: string) => number | undefined;

const WINDOW_MS = 60_000;

/** Creates a limit for each key in windows of a minute, each of which begins with a request. The keys are few and known. */
export function createRateLimit({
  requestsPerMinute,
  now = () => performance.now(),
}: {
  readonly requestsPerMinute: number;
  readonly now?: () => number;
}): RateLimit {
  const windows = new Map<string, { readonly endsAt: number; count: number }>();
  return (key) => {
    const time = now();
    const current = windows.get(key);
    const window = current && time < current.endsAt ? current : { endsAt: time + WINDOW_MS, count: 0 };
    if (window !== current) windows.set(key, window);
    window.count += 1;
    return window.count > requestsPerMinute ? Math.ceil((window.endsAt - time) / 1000) : undefined;
  };
}
