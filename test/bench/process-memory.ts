import { readFile } from 'node:fs/promises';

/** The resident memory of a process, in MB (10^6 bytes). Rejects where the process is gone, or the system has no `/proc`. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kibibytes === undefined) throw new Error(`process ${pid} has no resident memory`);
  return (Number(kibibytes) * 1024) / 1e6;
}

/** Watches the resident memory of a process. */
export interface MemoryWatch {
  /** The most that was seen, in MB. */
  peak(): number;
  /** Ends it. Rejects if the process could not be looked at all the time. */
  close(): Promise<void>;
}

const EVERY_MS = 200;

/** Looks at a process several times a second from now on. */
export function watchMemory(pid: number): MemoryWatch {
  let peak = 0;
  let looking = Promise.resolve();
  const look = async () => {
    peak = Math.max(peak, await residentMb(pid));
  };
  const timer = setInterval(() => {
    looking = looking.then(look);
    // Told at the end.
    looking.catch(() => {});
  }, EVERY_MS);
  return {
    peak: () => peak,
    async close() {
      clearInterval(timer);
      await looking.then(look);
    },
  };
}
