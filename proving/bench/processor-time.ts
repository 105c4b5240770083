import { readFile } from 'node:fs/promises';

/** Ticks in a second of what the kernel counts, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Returns the processor time that a process has used so far, of all its threads, in milliseconds; NaN where no kernel tells it. */
export async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
}

/** Returns the memory that a process has now, in megabytes; NaN where no kernel tells it. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
