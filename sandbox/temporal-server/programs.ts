import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** Runs a program to its end. Rejects if it fails. */
export const run = promisify(execFile);

/** Returns the absolute path of a program on the given PATH, by default on that of this process. Rejects if there is none. */
export async function locate(program: string, path?: string): Promise<string> {
  const script = '[ $# -lt 2 ] || PATH=$2; command -v "$1"';
  const args = ['-c', script, 'sh', program, ...(path === undefined ? [] : [path])];
  const { stdout } = await run('sh', args).catch(() => ({ stdout: '' }));
  if (!isAbsolute(stdout.trim())) throw new Error(`there is no ${program}`);
  return stdout.trim();
}

/** End of a program: its exit code, null if a signal or the operating system ended it, and the tail of its stderr. */
export interface Exit {
  readonly code: number | null;
  readonly stderr: string;
}

/** Program that ends no later than this process. */
export type WatchedProcess = ReturnType<typeof startWatchedProcess>;

/**
 * Shell script that leaves a watchdog in the background and becomes the program. File descriptor 3 closes when this process
 * ends, however it ends; the watchdog then kills the program, so that a killed Dockline leaves nothing that holds its ports.
 */
const WATCHED = '(read -r line <&3; kill $$) >/dev/null 2>&1 & exec "$0" "$@" 3<&-';

const STOP_DEADLINE_MS = 10_000;
const STDERR_TAIL = 4_000;

/** Starts a program in its own process group, so that Ctrl-C in the terminal does not reach it. `onLine` gets each line of its stderr. */
export function startWatchedProcess(program: string, args: readonly string[], onLine?: (line: string) => void) {
  const child = spawn('sh', ['-c', WATCHED, program, ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL);
  });
  if (onLine && child.stderr) createInterface({ input: child.stderr }).on('line', onLine);
  const exited = once(child, 'close').then(
    ([code]): Exit => ({ code, stderr: stderr.trim() }),
    (error: Error): Exit => ({ code: null, stderr: error.message }),
  );
  // The watchdog waits for this end of the pipe, and `close` waits for the pipe.
  child.once('exit', () => child.stdio[3]?.destroy());

  return {
    pid: child.pid,
    /** Resolves when the program has ended. Never rejects. */
    exited,
    /** Sends SIGTERM, and SIGKILL after ten seconds. */
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}
