import { readdir, readFile } from 'node:fs/promises';

/** Ticks in a second of what the kernel counts, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Returns the processor time that a process has used so far, of all its threads, in milliseconds; NaN where no kernel tells it. */
export const processorTimeOf = async (pid: number): Promise<number> => (await readStat(`/proc/${pid}/stat`)).ms;

/** Returns the processor time of the running threads of a process likewise, by their name; `main` is the one that it began with. */
export async function threadTimesOf(pid: number): Promise<Readonly<Record<string, number>>> {
  const ids = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times: Record<string, number> = {};
  for (const id of ids) {
    const { name, ms } = await readStat(`/proc/${pid}/task/${id}/stat`);
    const key = id === String(pid) ? 'main' : name;
    if (Number.isFinite(ms)) times[key] = (times[key] ?? 0) + ms;
  }
  return times;
}

async function readStat(path: string): Promise<{ readonly name: string; readonly ms: number }> {
  const stat = await readFile(path, 'utf8').catch(() => '');
  // The name, in parentheses, may contain spaces.
  const end = stat.lastIndexOf(')');
  const [user, system] = stat
    .slice(end + 2)
    .split(' ')
    .slice(11, 13);
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    ms: ((Number(user) + Number(system)) / TICKS_PER_SECOND) * 1000,
  };
}

/** Returns the memory that a process has now, in megabytes; NaN where no kernel tells it. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
