import type { Inline } from '../../activities/ports/deps.ts';

/** Cooldown of inline attempts after a failure, in milliseconds. */
const COOLDOWN_MS = 5000;

/** GETs that one retrieval needs at most, without the lines of an order. */
const CALLS = 4;

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
}): Inline {
  const failedAt = new Map<string, number>();
  const keyOf = (tenant: string, activity: string) => `${activity} ${tenant}`;
  const isWell = (key: string) =>
    !isStopping() && now() >= (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) + COOLDOWN_MS;
  return {
    mayRetrieve: (tenant) => isInline() && isWell(keyOf(tenant, 'retrieve')) && isFree(tenant, CALLS),
    mayAnnounce: (tenant, destination) => isWell(keyOf(tenant, `announce to ${destination}`)),
    retrievalFailed: (tenant) => void failedAt.set(keyOf(tenant, 'retrieve'), now()),
    announcingFailed: (tenant, destination) => void failedAt.set(keyOf(tenant, `announce to ${destination}`), now()),
  };
}
