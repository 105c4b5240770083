import type { Logger } from '../../base/logger.ts';
import { DocklineError, messageOf } from '../../domain/errors.ts';
import type { IdentityRef } from '../../domain/routing.ts';
import type { Destinations } from '../tables/destinations.ts';

interface WatchDeps {
  readonly destinations: Pick<Destinations, 'failed' | 'succeeded' | 'pause'>;
  /** Then a failing destination is stopped; undefined: never. */
  readonly stopAfterMs: number | undefined;
  readonly logger: Pick<Logger, 'warn'>;
}

const EVERY_MS = 2000;

const GONE = 410;

/** Attempts of a destination at a time, and of one that keeps failing: a hundred such leave most of a worker's slots to others. */
const MANY = 100;
const FEW = 4;
const IN_A_ROW = 10;

const keyOf = ({ tenant, id }: IdentityRef): string => `${tenant} ${id}`;

export type DestinationWatch = ReturnType<typeof createDestinationWatch>;

export function createDestinationWatch({ destinations, stopAfterMs, logger }: WatchDeps) {
  const notedAt = new Map<string, number>();
  const entered = new Map<string, number>();
  const failuresInARow = new Map<string, number>();

  function isDue(destination: IdentityRef, what: string): boolean {
    const key = `${what} ${keyOf(destination)}`;
    const now = performance.now();
    if (now - (notedAt.get(key) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return false;
    notedAt.set(key, now);
    return true;
  }

  async function stop(destination: IdentityRef, because: string): Promise<void> {
    const name = await destinations.pause(destination, because, 'dockline');
    if (name === undefined) return;
    logger.warn(
      { tenant: destination.tenant, name },
      `nothing more is sent to the destination, which ${because}; resume it to continue`,
    );
  }

  return {
    /** A failing destination has few places in this process. Returns what gives the place back; undefined if none is free. */
    enter(destination: IdentityRef): (() => void) | undefined {
      const key = keyOf(destination);
      const others = entered.get(key) ?? 0;
      if (others >= ((failuresInARow.get(key) ?? 0) >= IN_A_ROW ? FEW : MANY)) return undefined;
      entered.set(key, others + 1);
      return () => {
        const left = (entered.get(key) ?? 1) - 1;
        if (left > 0) entered.set(key, left);
        else entered.delete(key);
      };
    },

    async failed(destination: IdentityRef, error: unknown): Promise<void> {
      const key = keyOf(destination);
      failuresInARow.set(key, (failuresInARow.get(key) ?? 0) + 1);
      if (error instanceof DocklineError && error.status === GONE)
        return await stop(destination, 'answered 410: it wants nothing more');
      if (!isDue(destination, 'failed')) return;
      // The next success is noted at once.
      notedAt.delete(`succeeded ${key}`);
      const since = await destinations.failed(destination, messageOf(error));
      if (stopAfterMs !== undefined && Date.now() - since >= stopAfterMs)
        await stop(destination, `has failed since ${new Date(since).toISOString()}`);
    },

    /** Also after a rejection: the destination has answered as it should. */
    async succeeded(destination: IdentityRef): Promise<void> {
      failuresInARow.delete(keyOf(destination));
      if (isDue(destination, 'succeeded')) await destinations.succeeded(destination);
    },
  };
}
