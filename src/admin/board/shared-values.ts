import { singleFlight } from '../../base/single-flight.ts';

/** Time for which a value holds, in milliseconds, unless it expires before. */
const HOLDS_MS = 400;

/** Values that readers share until something changes. */
export interface SharedValues {
  /** Creates a function that computes a value for all who ask. */
  share<T>(compute: () => Promise<T>): () => Promise<T>;
  /** Lets every value expire. */
  expire(): void;
}

export function createSharedValues(): SharedValues {
  const expirations: (() => void)[] = [];
  return {
    share(compute) {
      const { read, expire } = singleFlight(HOLDS_MS, compute);
      expirations.push(expire);
      return read;
    },
    expire() {
      for (const expire of expirations) expire();
    },
  };
}
