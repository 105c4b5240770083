import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a program ended: its exit code, null where a signal or the operating system ended it, and the last that it wrote to stderr. */
export interface Exit {
  readonly code: number | null;
  readonly stderr: string;
}

/** A program that runs until it is done or stopped, and no longer than this process. */
export interface WatchedProcess {
  readonly pid: number | undefined;
  /** Resolves when the program has ended. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Asks it to end, and ends it where it does not within ten seconds. */
  stop(): Promise<void>;
}

/**
 * Becomes the program, after leaving a watchdog beside it: file descriptor 3 closes when our process ends in whatever way,
 * and then the program is told to end. So a killed Dockline leaves nothing that holds its ports.
 */
const WATCHED = '(read -r line <&3; kill $$) >/dev/null 2>&1 & exec "$0" "$@" 3<&-';

const STOP_DEADLINE_MS = 10_000;
const STDERR_TAIL = 4_000;

/** Starts a program in a process group of its own, so that Ctrl-C in the terminal reaches us and not the program. */
export function startWatchedProcess(program: string, args: readonly string[]): WatchedProcess {
  const child = spawn('sh', ['-c', WATCHED, program, ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL);
  });
  const exited = once(child, 'close').then(
    ([code]): Exit => ({ code, stderr: stderr.trim() }),
    (error: Error): Exit => ({ code: null, stderr: error.message }),
  );
  // The watchdog waits for this end of the pipe, and `close` for the pipe.
  child.once('exit', () => child.stdio[3]?.destroy());

  return {
    pid: child.pid,
    exited,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}
