/** A signal that SIGINT and SIGTERM abort, which is told of; the second of them leaves at once. */
export function openStopSignal(what: string): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(130);
      process.stderr.write(`\n${what}; once more to leave at once.\n`);
      stop.abort();
    });
  }
  return stop.signal;
}
