/** Counts requests by key: undefined for one that may pass, else in how many seconds the next may. */
export type RateLimit = (key: string) => number | undefined;

const WINDOW_MS = 60_000;

/** Lets so many requests of each key pass in a minute, which begins with the first of them. The keys are few and known. */
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
