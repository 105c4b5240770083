interface SingleFlight<T> {
  /** Computes once at a time for all who ask. A failure is told to those who asked. */
  read(): Promise<T>;
  /** Also a value that is being computed: those who ask from now on get the next one. */
  expire(): void;
}

export function singleFlight<T>(holdsMs: number, compute: () => Promise<T>): SingleFlight<T> {
  let value: Promise<T> | undefined;
  let isRunning = false;
  let until = 0;

  function start(): Promise<T> {
    const computed = compute();
    value = computed;
    isRunning = true;
    until = Infinity;
    const end = (ms: number) => () => {
      isRunning = false;
      until = Math.min(until, performance.now() + ms);
    };
    computed.then(end(holdsMs), end(0));
    return computed;
  }

  function read(): Promise<T> {
    if (value === undefined) return start();
    if (performance.now() < until) return value;
    return isRunning ? value.then(read, read) : start();
  }

  return {
    read,
    expire() {
      until = 0;
    },
  };
}
