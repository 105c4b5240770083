import { readFileSync } from 'node:fs';

/**
 * Watches what a virtual machine's host takes from its cores. The function that is returned tells the share of the time since now
 * that programs wanted a core and the host gave it to others; null where the system does not tell, or nothing ran.
 */
export function watchStolenTime(readStat: () => string = readProcStat): () => number | null {
  const before = timesOf(readStat());
  return () => {
    const after = timesOf(readStat());
    const stolen = after.stolen - before.stolen;
    const share = stolen / (after.used - before.used + stolen);
    return Number.isFinite(share) ? share : null;
  };
}

/** Empty on systems other than Linux. */
function readProcStat(): string {
  try {
    return readFileSync('/proc/stat', 'utf8');
  } catch {
    return '';
  }
}

/** Of all cores together since the start, in the system's ticks (proc_stat(5)). Guests are counted in `user` and `nice`. */
function timesOf(stat: string): { readonly used: number; readonly stolen: number } {
  const [, fields = ''] = /^cpu +(.*)$/m.exec(stat) ?? [];
  const [user = 0, nice = 0, system = 0, _idle, _iowait, irq = 0, softirq = 0, stolen = Number.NaN] = fields
    .split(' ')
    .map(Number);
  return { used: user + nice + system + irq + softirq, stolen };
}
