import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';

/** Process or worker that may crash at any moment. */
export interface Host {
  hasCrashed: boolean;
  /** Call after which it crashes; empty for none. */
  crashesAfter: string;
  /** Call that is delayed; empty for none. */
  delaysBefore: string;
}

/** Delay of such a call, in milliseconds. */
const DELAY_MS = 30_000;

/** Creates a host that runs. */
export const newHost = (): Host => ({ hasCrashed: false, crashesAfter: '', delaysBefore: '' });

const never = new Promise<never>(() => {});

/** Members that answer synchronously. */
const immediate: readonly (string | symbol)[] = ['waiting'];

/**
 * Wraps a port of a host that may crash: calls in progress may still take effect, but their results are lost. A call takes a
 * few turns of the event loop to begin.
 */
export function crashable<Port extends object>(port: Port, host: Host): Port {
  async function call(name: string | symbol, begin: () => unknown): Promise<unknown> {
    if (host.hasCrashed) return await never;
    for (let n = 0; n < 3; n += 1) await turn();
    if (name === host.delaysBefore) await pause(DELAY_MS);
    const [outcome] = await Promise.allSettled([begin()]);
    host.hasCrashed ||= name === host.crashesAfter;
    if (host.hasCrashed) return await never;
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
