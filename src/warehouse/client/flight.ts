import { addAbortListener } from 'node:events';
import { DocklineError } from '../../domain/errors.ts';

export interface Asked {
  readonly signal: AbortSignal;
  /** May change while the call waits. */
  readonly rank: () => number;
  readonly withinMs: number;
}

export interface Waiter<T> extends Pick<Asked, 'rank'> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
  /** From now on the call is no longer given up for its patience. */
  begin(): void;
}

/** A longer timer would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Gives up with the signal's reason, or with `ERR_WAREHOUSE_BUSY` after its time, and tells what it waited for. */
export function createWaiter<T>({ signal, rank, withinMs }: Asked, onLeft: (waiter: Waiter<T>) => void): Waiter<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = (reason: unknown) => {
    reject(reason);
    onLeft(waiter);
  };
  const late = setTimeout(() => leave(tooLate(withinMs)), Math.min(withinMs, LONGEST_MS));
  const listener = addAbortListener(signal, () => leave(signal.reason));
  const waiter = { promise, resolve, reject, rank, begin: () => clearTimeout(late) };
  const end = () => {
    clearTimeout(late);
    listener[Symbol.dispose]();
  };
  promise.then(end, end);
  return waiter;
}

const tooLate = (withinMs: number) =>
  new DocklineError('ERR_WAREHOUSE_BUSY', `the warehouse's rate left no room for the GET within ${withinMs} ms`);

export class Flight<T> {
  readonly #waiters = new Map<Waiter<T>, string>();
  readonly #controller = new AbortController();
  #begunAt: number | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get begunAt(): number | undefined {
    return this.#begunAt;
  }

  get size(): number {
    return this.#waiters.size;
  }

  get wanted(): readonly string[] {
    return [...new Set(this.#waiters.values())];
  }

  readonly rank = (): number => Math.min(...Array.from(this.#waiters.keys(), ({ rank }) => rank()));

  readonly onBegin = (at: number): void => {
    this.#begunAt = at;
    for (const waiter of this.#waiters.keys()) waiter.begin();
  };

  async run(work: (flight: Flight<T>) => Promise<T>): Promise<T | undefined> {
    try {
      const value = await work(this);
      for (const waiter of this.#waiters.keys()) waiter.resolve(value);
      return value;
    } catch (error) {
      for (const waiter of this.#waiters.keys()) waiter.reject(error);
      return undefined;
    }
  }

  /** Rejects as the work does, with the signal's reason, or with `ERR_WAREHOUSE_BUSY` if the GET has not begun in time. */
  async join(asked: Asked, wanted = ''): Promise<T> {
    asked.signal.throwIfAborted();
    const waiter = createWaiter<T>(asked, (left) => {
      this.#waiters.delete(left);
      if (this.#waiters.size === 0) this.#controller.abort(new Error('nobody waits any more'));
    });
    this.#waiters.set(waiter, wanted);
    if (this.#begunAt !== undefined) waiter.begin();
    return await waiter.promise;
  }
}

/** Results kept for those who ask later. */
const KEPT = 1000;

/** A response requested before the event cannot reflect it. */
const isJoinable = <T>({ begunAt, signal }: Flight<T>, since = Number.NEGATIVE_INFINITY): boolean =>
  !signal.aborted && (begunAt === undefined || begunAt >= since);

interface Wanted<T> extends Asked {
  readonly since?: number | undefined;
  /** Reports whether a result also serves those who ask later, if it is not older than they want. */
  readonly isKept?: (value: T) => boolean;
}

export class Flights {
  readonly #flying = new Map<string, Flight<unknown>>();
  readonly #landed = new Map<string, { readonly value: unknown; readonly begunAt: number }>();

  /** Joins a GET that is under way or whose result is kept; else begins it. Also returns for how many others it was. */
  async join<T>(
    key: string,
    { since, isKept = () => false, ...asked }: Wanted<T>,
    work: (flight: Flight<T>) => Promise<T>,
  ): Promise<{ readonly value: T; readonly others: number }> {
    asked.signal.throwIfAborted();
    const known = this.#landed.get(key);
    if (known && since !== undefined && known.begunAt >= since) return { value: known.value as T, others: 0 };
    const found = this.#flying.get(key) as Flight<T> | undefined;
    const isFound = found !== undefined && isJoinable(found, since);
    const flight = isFound ? found : new Flight<T>();
    const joined = flight.join(asked);
    if (!isFound) void this.#begin(key, flight, isKept, work);
    return { value: await joined, others: flight.size - 1 };
  }

  async #begin<T>(
    key: string,
    flight: Flight<T>,
    isKept: (value: T) => boolean,
    work: (flight: Flight<T>) => Promise<T>,
  ): Promise<void> {
    this.#flying.set(key, flight as Flight<unknown>);
    const value = await flight.run(work);
    if (this.#flying.get(key) === flight) this.#flying.delete(key);
    if (value === undefined || flight.begunAt === undefined || !isKept(value)) return;
    this.#landed.delete(key);
    this.#landed.set(key, { value, begunAt: flight.begunAt });
    const [oldest = key] = this.#landed.keys();
    if (this.#landed.size > KEPT) this.#landed.delete(oldest);
  }
}
