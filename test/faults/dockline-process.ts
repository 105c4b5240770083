import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type Exit,
  startWatchedProcess,
  type WatchedProcess,
} from '../../src/sandbox/temporal-server/watched-process.ts';
import type { Tampering } from './tampering.ts';
import type { Victim } from './victim.ts';

/** How a process of Dockline is started. */
export interface DocklineProcessOptions extends Tampering {
  readonly name: string;
  /** What it does; everything where there are none. */
  readonly roles: readonly string[];
  /** Answers 200 when it serves; without one it serves as soon as it runs. */
  readonly readyUrl?: string;
  /** What is run; Dockline itself where absent. */
  readonly program?: string;
}

/** A process of Dockline's own, which can be killed, told to stop and started again on the same data. */
export interface DocklineProcess extends Victim {
  pid(): number;
  /** Changes its environment from its next start on. */
  configure(env: Readonly<Record<string, string>>): void;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the process that runs now has ended. */
  ended(): Promise<Exit>;
  /** Asks it to end and waits until it has. */
  stop(): Promise<void>;
}

const START = fileURLToPath(new URL('../../src/cli/start.ts', import.meta.url));
const READY_DEADLINE_MS = 90_000;

/** A process that is not started yet. Its environment is what it is given and nothing else. */
export function createDocklineProcess(options: DocklineProcessOptions): DocklineProcess {
  const { name, roles, readyUrl, args, program = START } = options;
  let { env } = options;
  let running: WatchedProcess | undefined;
  const command = () => [
    '-i',
    ...Object.entries(env).map(([key, value]) => `${key}=${value}`),
    process.execPath,
    ...args,
    program,
    ...roles.flatMap((role) => ['--role', role]),
  ];
  const current = (): WatchedProcess => {
    if (!running) throw new Error(`${name} was never started`);
    return running;
  };
  const pid = () => current().pid ?? 0;
  const signal = (what: NodeJS.Signals) => void process.kill(pid(), what);
  return {
    name,
    pid,
    configure(changed) {
      env = { ...env, ...changed };
    },
    signal,
    ended: () => current().exited,
    async start() {
      running = startWatchedProcess('env', command());
      if (!readyUrl) return;
      const failed = running.exited.then(({ stderr }) => {
        throw new Error(`${name} ended before it was ready: ${stderr || 'it said nothing'}`);
      });
      await Promise.race([untilReady(readyUrl, name), failed]);
    },
    async kill() {
      signal('SIGKILL');
      await current().exited;
    },
    stop: async () => void (await running?.stop()),
  };
}

async function untilReady(url: string, name: string): Promise<void> {
  const deadline = Date.now() + READY_DEADLINE_MS;
  while (!(await answersWell(url))) {
    if (Date.now() > deadline) throw new Error(`${name} was not ready within ${READY_DEADLINE_MS} ms`);
    await pause(100);
  }
}

/** Whether a URL answers 2xx now. */
export async function answersWell(url: string): Promise<boolean> {
  return (await statusOf(url)).startsWith('2');
}

/** The status that a URL answers with now, or `none`. */
export async function statusOf(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000), headers: { connection: 'close' } });
    await response.arrayBuffer();
    return String(response.status);
  } catch {
    return 'none';
  }
}
