import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** A process, or a worker, that may die at any moment. */
export interface Life {
  isOver: boolean;
  /** The call with whose return it ends; none where it is empty. */
  endsAfter: string;
  /** The call that takes long to get there; none where it is empty. */
  lingersBefore: string;
}

/** How long that is, in milliseconds. */
const LONG_MS = 30_000;

/** A life that has just begun. */
export const newLife = (): Life => ({ isOver: false, endsAfter: '', lingersBefore: '' });

const never = new Promise<never>(() => {});

/** What answers from memory. */
const immediate: readonly (string | symbol)[] = ['waiting'];

/**
 * A port of somebody who may die: calls made before that may still take effect, but nobody learns how they ended. A call takes a
 * few turns of the event loop to get there.
 */
export function mortal<Port extends object>(port: Port, life: Life): Port {
  async function call(name: string | symbol, begin: () => unknown): Promise<unknown> {
    if (life.isOver) return await never;
    for (let n = 0; n < 3; n += 1) await turn();
    if (name === life.lingersBefore) await pause(LONG_MS);
    const [outcome] = await Promise.allSettled([begin()]);
    life.isOver ||= name === life.endsAfter;
    if (life.isOver) return await never;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || immediate.includes(name)) return member;
      return (...args: readonly unknown[]) => call(name, () => Reflect.apply(member, target, args));
    },
  });
}
