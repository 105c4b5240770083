import type { Flight, Flights } from '../../activities/ports/retrieval.ts';
import { createWaiter, rankTogether, type Waiter } from './client/waiter.ts';

/** Work that is under way for several. */
interface Aloft {
  readonly waiters: Set<Waiter<unknown>>;
  readonly controller: AbortController;
  /** Time at which its GET began, in milliseconds since the epoch; undefined before. */
  begunAt?: number;
}

/** A GET that began before what it is to show happened says nothing of it. */
const isJoinable = ({ begunAt, controller }: Aloft, since = Number.NEGATIVE_INFINITY): boolean =>
  !controller.signal.aborted && (begunAt === undefined || begunAt >= since);

/** Creates the work that is done once for all who ask for it at the same time, and given up once nobody waits for it. */
export function createFlights(): Flights {
  const flying = new Map<string, Aloft>();

  async function begin<T>(key: string, aloft: Aloft, work: (flight: Flight) => Promise<T>): Promise<void> {
    const { waiters, controller } = aloft;
    flying.set(key, aloft);
    const onBegin = (startedAt: number) => {
      aloft.begunAt = startedAt;
      for (const waiter of waiters) waiter.begin();
    };
    try {
      const value = await work({ signal: controller.signal, rank: () => rankTogether(waiters), onBegin });
      for (const waiter of waiters) waiter.resolve(value);
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    } finally {
      if (flying.get(key) === aloft) flying.delete(key);
    }
  }

  return {
    async join<T>(
      key: string,
      { since, ...asked }: Parameters<Flights['join']>[1],
      work: (flight: Flight) => Promise<T>,
    ) {
      asked.signal.throwIfAborted();
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
      if (!isFound) void begin(key, aloft, work);
      return { value: (await waiter.promise) as T, others: aloft.waiters.size - 1 };
    },
  };
}
