/** Time for which a value holds, in milliseconds, unless it expires before. */
const HOLDS_MS = 400;

/** Values that readers share until something changes. */
export interface SharedValues {
  /** Creates a function that computes a value for all who ask: once at a time, and again when it is old or has expired. */
  share<T>(compute: () => Promise<T>): () => Promise<T>;
  /** Lets every value that is known, or being computed, expire. */
  expire(): void;
}

/** Creates values that readers share. */
export function createSharedValues(): SharedValues {
  let expiredAt = 0;
  return {
    share<T>(compute: () => Promise<T>): () => Promise<T> {
      let value: Promise<T> | undefined;
      let startedAt = 0;
      let endedAt = 0;

      function start(): Promise<T> {
        startedAt = performance.now();
        endedAt = Number.POSITIVE_INFINITY;
        const end = () => {
          endedAt = performance.now();
        };
        const computed = compute();
        value = computed;
        computed.then(end, () => {
          end();
          value = undefined;
        });
        return computed;
      }

      return function read(): Promise<T> {
        if (value === undefined) return start();
        if (startedAt > expiredAt && performance.now() < endedAt + HOLDS_MS) return value;
        return endedAt === Number.POSITIVE_INFINITY ? value.then(read, read) : start();
      };
    },
    expire() {
      expiredAt = performance.now();
    },
  };
}
