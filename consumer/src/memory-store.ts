import type { Store } from './store.ts';

/** Creates a store in memory, for tests and first steps: a process that starts again knows nothing of what was taken. */
export function createMemoryStore(): Store<undefined> {
  const lastOf = new Map<string, number>();
  const running = new Map<string, Promise<unknown>>();

  return {
    async transact(subject, work) {
      // Whatever came of the work before, it is this one's turn.
      const turn = (running.get(subject) ?? Promise.resolve()).catch(() => undefined);
      const result = turn.then(async () => {
        let last = lastOf.get(subject) ?? 0;
        const advance = async (sequence: number) => {
          last = sequence;
        };
        const done = await work({ last, transaction: undefined, advance });
        lastOf.set(subject, last);
        return done;
      });
      running.set(subject, result);
      try {
        return await result;
      } finally {
        if (running.get(subject) === result) running.delete(subject);
      }
    },
  };
}
