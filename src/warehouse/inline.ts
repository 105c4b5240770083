/** Cooldown of inline attempts after a failure, in milliseconds. */
const COOLDOWN_MS = 5000;

/** GETs that one retrieval needs at most, without the lines of an order. */
const CALLS = 4;

/** Decides which activities may be tried inline, in a workflow's own task, where a call that hangs delays others. */
export type Inline = ReturnType<typeof createInline>;

/** Decides when activities may try inline: GETs if that is enabled and the rate leaves room; neither GETs nor announcements during the cooldown after a failure, or at a stop. */
export function createInline({
  isInline,
  isFree,
  isStopping,
  now = () => performance.now(),
}: {
  readonly isInline: () => boolean;
  readonly isFree: (tenant: string, calls: number) => boolean;
  readonly isStopping: () => boolean;
  /** Returns the time in milliseconds, of a clock that nobody sets. */
  readonly now?: () => number;
}) {
  const failedAt = new Map<string, number>();
  const keyOf = (tenant: string, activity: string) => `${activity} ${tenant}`;
  const isWell = (key: string) =>
    !isStopping() && now() >= (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) + COOLDOWN_MS;
  return {
    /** Reports whether GETs may be tried: the process is alone, the rate leaves room, and the last attempt succeeded. */
    mayRetrieve: (tenant: string): boolean => isInline() && isWell(keyOf(tenant, 'retrieve')) && isFree(tenant, CALLS),
    /** Reports whether announcing to a destination may be tried: the last attempt succeeded. */
    mayAnnounce: (tenant: string, destination: string): boolean => isWell(keyOf(tenant, `announce to ${destination}`)),
    /** Begins a cooldown after GETs have failed. */
    retrievalFailed: (tenant: string): void => void failedAt.set(keyOf(tenant, 'retrieve'), now()),
    /** Begins a cooldown after an attempt to announce has failed. */
    announcingFailed: (tenant: string, destination: string): void =>
      void failedAt.set(keyOf(tenant, `announce to ${destination}`), now()),
  };
}
