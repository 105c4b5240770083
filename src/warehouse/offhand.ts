import type { Offhand } from '../../activities/ports.ts';

/** How long nothing is tried offhand after a failure, in milliseconds. */
const PAUSE_MS = 5000;

/** As many GETs as one retrieval needs at most, lines of an order apart. */
const CALLS = 4;

/** Lets warehouses be asked offhand where this process alone asks them, their pace leaves room, and that went well the last time. */
export function createOffhand({
  isAlone,
  isFree,
  now = Date.now,
}: {
  readonly isAlone: boolean;
  readonly isFree: (tenant: string, calls: number) => boolean;
  readonly now?: () => number;
}): Offhand {
  const failedAt = new Map<string, number>();
  return {
    isWelcome: (tenant) =>
      isAlone && now() >= (failedAt.get(tenant) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS && isFree(tenant, CALLS),
    failed: (tenant) => void failedAt.set(tenant, now()),
  };
}
