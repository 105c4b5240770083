import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Results } from './results.ts';

/** What everything runs on. */
export const machine = (stolenShare: number | null): Results['machine'] => ({
  cpu: cpus()[0]?.model ?? 'an unknown CPU',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 1e8) / 10,
  node: process.version,
  stolenShare,
});
