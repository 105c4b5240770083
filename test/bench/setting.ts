import { figure } from './figure.ts';
import type { Results } from './results.ts';

/** From what share on stolen time is told: then the figures say as much of the host as of what was measured. */
const NOTEWORTHY_SHARE = 0.02;

/** Where, with what and how often it was measured, in two lines. */
export function settingOf({ machine, workload, quick }: Results): readonly [machine: string, workload: string] {
  const { cpu, cores, memoryGb, node, stolenShare } = machine;
  const { orders, events, rounds } = workload;
  const often = rounds === 1 ? 'one round' : `median of ${rounds} rounds`;
  const stolen = stolenShare !== null && stolenShare >= NOTEWORTHY_SHARE;
  return [
    `${cpu.trim()}, ${cores} cores, ${figure(memoryGb)} GB, Node.js ${node}${stolen ? `, ${Math.round(100 * stolenShare)} % of the CPU time taken by its host` : ''}`,
    `${figure(orders)} orders, ${figure(events)} events, ${often}${quick ? ' (a quick run: rough figures)' : ''}`,
  ];
}
