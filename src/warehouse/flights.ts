import { createWaiter, rankTogether, type Waiter } from './client/waiter.ts';
import type { Urgency } from './gets.ts';

/** Work that is under way for several. */
interface Aloft {
  readonly waiters: Set<Waiter<unknown>>;
  readonly controller: AbortController;
  /** Time at which its GET began, in milliseconds since the epoch; undefined before. */
  begunAt?: number;
}

/** Number of results that are kept for those who would ask for the same again. */
const KEPT = 1000;

/** A GET that began before what it is to show happened says nothing of it. */
const isJoinable = ({ begunAt, controller }: Aloft, since = Number.NEGATIVE_INFINITY): boolean =>
  !controller.signal.aborted && (begunAt === undefined || begunAt >= since);

/** Work that is done once for all who ask for it at the same time. */
export interface Flight extends Pick<Urgency, 'rank' | 'onBegin'> {
  /** Aborts once nobody waits for it. */
  readonly signal: AbortSignal;
}

/** Work that several ask for at the same time, by its key. */
export type Flights = ReturnType<typeof createFlights>;

/** Creates the work that is done once for all who ask for it at the same time, and given up once nobody waits for it. */
export function createFlights() {
  const flying = new Map<string, Aloft>();
  /** Newest results, with the times at which their GETs began. */
  const landed = new Map<string, { readonly value: unknown; readonly begunAt: number }>();

  function keep(key: string, value: unknown, begunAt: number): void {
    landed.delete(key);
    landed.set(key, { value, begunAt });
    for (const oldest of landed.keys()) {
      if (landed.size <= KEPT) break;
      landed.delete(oldest);
    }
  }

  async function begin<T>(
    key: string,
    aloft: Aloft,
    isKept: (value: T) => boolean,
    work: (flight: Flight) => Promise<T>,
  ): Promise<void> {
    const { waiters, controller } = aloft;
    flying.set(key, aloft);
    const onBegin = (startedAt: number) => {
      aloft.begunAt = startedAt;
      for (const waiter of waiters) waiter.begin();
    };
    try {
      const value = await work({ signal: controller.signal, rank: () => rankTogether(waiters), onBegin });
      if (aloft.begunAt !== undefined && isKept(value)) keep(key, value, aloft.begunAt);
      for (const waiter of waiters) waiter.resolve(value);
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    } finally {
      if (flying.get(key) === aloft) flying.delete(key);
    }
  }

  return {
    /**
     * Joins work whose GET did not begin before `since`, in milliseconds since the epoch, and that is under way or is kept; else begins it. Returns its
     * result, and for how many others it was. Rejects as the work does, with the signal's reason, or with `ERR_WAREHOUSE_BUSY` if its GET has
     * not begun in time.
     */
    async join<T>(
      key: string,
      {
        since,
        isKept = () => false,
        ...asked
      }: {
        readonly signal: AbortSignal;
        readonly rank: () => number;
        readonly withinMs: number;
        readonly since?: number | undefined;
        /** Reports whether a result serves those who ask later as well, as long as it is not older than they want. Default: it does not. */
        readonly isKept?: (value: T) => boolean;
      },
      work: (flight: Flight) => Promise<T>,
    ): Promise<{ readonly value: T; readonly others: number }> {
      asked.signal.throwIfAborted();
      const known = landed.get(key);
      if (known && since !== undefined && known.begunAt >= since) return { value: known.value as T, others: 0 };
      const found = flying.get(key);
      const isFound = found !== undefined && isJoinable(found, since);
      const aloft: Aloft = isFound ? found : { waiters: new Set(), controller: new AbortController() };
      const waiter = createWaiter<unknown>(asked);
      aloft.waiters.add(waiter);
      waiter.onLeft(() => {
        aloft.waiters.delete(waiter);
        if (aloft.waiters.size === 0) aloft.controller.abort(new Error('nobody waits any more'));
      });
      if (aloft.begunAt !== undefined) waiter.begin();
      if (!isFound) void begin(key, aloft, isKept, work);
      return { value: (await waiter.promise) as T, others: aloft.waiters.size - 1 };
    },
  };
}
