import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedServer, type EmbeddedServerOptions, startEmbeddedServer } from '../temporal/embedded-server.ts';
import type { Victim } from './victim.ts';

/** A Temporal server that can be killed, stopped and started again on the same data and ports. */
export interface TemporalProcess extends Victim {
  stop(): Promise<void>;
}

/** A server that is not started yet. */
export function createTemporalProcess(options: Omit<EmbeddedServerOptions, 'log'>): TemporalProcess {
  let server: EmbeddedServer | undefined;
  return {
    name: 'the Temporal server',
    async start() {
      server = await startEmbeddedServer({ ...options, log: () => {} });
    },
    async kill() {
      const { pid = 0 } = server ?? {};
      process.kill(pid, 'SIGKILL');
      while (isThere(pid)) await pause(10);
    },
    stop: async () => void (await server?.stop()),
  };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
