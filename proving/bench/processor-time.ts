import { readFile } from 'node:fs/promises';

/** Ticks in a second of what the kernel counts, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Returns the processor time that a process has used so far, of all its threads, in milliseconds; NaN where no kernel tells it. */
export async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, may contain spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return ((Number(user) + Number(system)) / TICKS_PER_SECOND) * 1000;
}
