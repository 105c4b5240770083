import type { Inline } from '../../activities/ports.ts';

/** How long nothing is tried inline after a failure, in milliseconds. */
const PAUSE_MS = 5000;

/** As many GETs as one retrieval needs at most, lines of an order apart. */
const CALLS = 4;

/** Lets GETs and announcements be tried inline where that is wanted, GETs where their pace leaves room; neither for a while after a failure. */
export function createInline({
  isInline,
  isFree,
  now = Date.now,
}: {
  readonly isInline: () => boolean;
  readonly isFree: (tenant: string, calls: number) => boolean;
  readonly now?: () => number;
}): Inline {
  const failedAt = new Map<string, number>();
  const keyOf = (tenant: string, activity: string) => `${activity} ${tenant}`;
  const isWell = (key: string) => now() >= (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS;
  return {
    mayRetrieve: (tenant) => isInline() && isWell(keyOf(tenant, 'retrieve')) && isFree(tenant, CALLS),
    mayAnnounce: (tenant) => isWell(keyOf(tenant, 'announce')),
    failed: (tenant, activity) => void failedAt.set(keyOf(tenant, activity), now()),
  };
}
