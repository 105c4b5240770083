import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type EmbeddedServer,
  type EmbeddedServerOptions,
  startEmbeddedServer,
} from '../../src/sandbox/temporal-server/embedded-server.ts';
import { LOOPBACK } from '../../src/sandbox/temporal-server/port.ts';
import type { Victim } from './victim.ts';

/** A Temporal server that can be killed, stopped and started again on the same data and ports. */
export interface TemporalProcess extends Victim {
  /** `host:port` of its gRPC service. */
  readonly address: string;
  stop(): Promise<void>;
  /** Copies its database as it is at one moment, while it runs. */
  copyDatabase(to: string): Promise<void>;
  /** Removes its database, and puts a copy in its place where one is given; it must have been stopped. */
  replaceDatabase(copy?: string): Promise<void>;
}

/** A server that is not started yet. */
export function createTemporalProcess(options: Omit<EmbeddedServerOptions, 'log'>): TemporalProcess {
  const { folder, port } = options;
  const database = join(folder, 'temporal.db');
  let server: EmbeddedServer | undefined;
  return {
    name: 'the Temporal server',
    address: `${LOOPBACK}:${port}`,
    async start() {
      server = await startEmbeddedServer({ ...options, log: () => {} });
    },
    async kill() {
      const { pid = 0 } = server ?? {};
      process.kill(pid, 'SIGKILL');
      while (isThere(pid)) await pause(10);
    },
    stop: async () => void (await server?.stop()),
    async copyDatabase(to) {
      using source = new DatabaseSync(database, { readOnly: true });
      await backup(source, to, { rate: ALL_PAGES });
    },
    async replaceDatabase(copy) {
      // With what lies beside it, which belongs to it.
      await rm(folder, { recursive: true });
      await mkdir(folder);
      if (copy !== undefined) await copyFile(copy, database);
    },
  };
}

/** In several steps, a copy would begin anew whenever the server has written. */
const ALL_PAGES = 1_000_000;

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
