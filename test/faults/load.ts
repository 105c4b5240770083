import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../../src/sandbox/simulator/simulator.ts';

/** What lives at once: of everything something, some eighty events. */
const cast = { orders: 5, receipts: 2, adjustments: 1, assemblies: 1, items: 1, stock: 2, holds: 1, concurrency: 13 };

/** How often that begins anew under lasting load, in milliseconds. */
const EVERY_MS = 3_000;

/** Lets everything live once; resolves when all webhooks are accepted or given up. */
export const playOnce = (simulator: Pick<Simulator, 'play'>): Promise<void> => simulator.play(cast);

/** Load that goes on until it is stopped. */
export interface Load {
  /** Begins nothing more; resolves when all webhooks are accepted or given up. */
  stop(): Promise<void>;
}

/** Begins lives again and again, whatever becomes of those before. */
export function keepPlaying(simulator: Pick<Simulator, 'play'>): Load {
  const stopping = new AbortController();
  const waves: Promise<void>[] = [];
  const begin = async () => {
    while (!stopping.signal.aborted) {
      waves.push(playOnce(simulator));
      await pause(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const begun = begin();
  return {
    async stop() {
      stopping.abort();
      await begun;
      await Promise.all(waves);
    },
  };
}
