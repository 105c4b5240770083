import { addAbortListener } from 'node:events';
import { DocklineError } from '../../domain/errors.ts';

/** Rank and patience of a call that waits for its turn. */
export interface Asked {
  readonly signal: AbortSignal;
  /** Returns its rank, which may change while it waits for others. */
  readonly rank: () => number;
  /** Time after which it is given up, in milliseconds. */
  readonly withinMs: number;
}

/** Caller that waits for a turn, or for the GET of somebody else. */
export interface Waiter<T> extends Pick<Asked, 'rank'> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
  /** Its turn has come: it is no longer given up for its patience. */
  begin(): void;
  /** Calls back if it gives up. */
  onLeft(left: () => void): void;
}

/** Longest time of a timer, in milliseconds; a longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Creates a caller that waits. It gives up with the signal's reason, or with `ERR_WAREHOUSE_BUSY` after its time. */
export function createWaiter<T>({ signal, rank, withinMs }: Asked): Waiter<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let left = () => {};
  const leave = (reason: unknown) => {
    reject(reason);
    left();
  };
  const late = setTimeout(() => leave(tooLate(withinMs)), Math.min(withinMs, LONGEST_MS));
  const listener = addAbortListener(signal, () => leave(signal.reason));
  const end = () => {
    clearTimeout(late);
    listener[Symbol.dispose]();
  };
  promise.then(end, end);
  return {
    promise,
    resolve,
    reject,
    rank,
    begin: () => clearTimeout(late),
    onLeft(callback) {
      left = callback;
    },
  };
}

const tooLate = (withinMs: number) =>
  new DocklineError('ERR_WAREHOUSE_BUSY', `the warehouse's rate left no room for the GET within ${withinMs} ms`);

/** Returns the lowest rank of callers that wait together. */
export const rankTogether = (waiters: Iterable<Pick<Asked, 'rank'>>): number =>
  Math.min(...Array.from(waiters, ({ rank }) => rank()));
