import { figure } from './figure.ts';
import type { Results } from './results.ts';

/** Where, with what and how often it was measured, in two lines. */
export function settingOf({ machine, workload, quick }: Results): readonly [machine: string, workload: string] {
  const { cpu, cores, memoryGb, node } = machine;
  const { orders, events, rounds } = workload;
  const often = rounds === 1 ? 'one round' : `median of ${rounds} rounds`;
  return [
    `${cpu.trim()}, ${cores} cores, ${figure(memoryGb)} GB, Node.js ${node}`,
    `${figure(orders)} orders, ${figure(events)} events, ${often}${quick ? ' (a quick run: rough figures)' : ''}`,
  ];
}
