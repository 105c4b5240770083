import { setTimeout as pause } from 'node:timers/promises';
import { engines, type Fault, type FaultContext, perRound } from '../fault.ts';
import type { Restartable } from '../fixture/dockline-process.ts';

/** Maximum downtime of a killed process, in milliseconds. */
const DOWN_FOR_MS = 1_000;

/** Creates a fault that kills processes under load and starts them again. */
export function kill(
  name: string,
  {
    choose,
    ...rest
  }: Pick<Fault, 'description'> &
    Partial<Pick<Fault, 'needs'>> & {
      readonly choose: (context: FaultContext) => readonly Restartable[];
    },
): Fault {
  const run = perRound(async (context) => {
    const { moments, signal, say } = context;
    const targets = choose(context);
    await Promise.all(targets.map((target) => target.kill()));
    say(`killed ${targets.map((target) => target.name).join(', ')}`);
    await pause(moments.between(0, DOWN_FOR_MS), undefined, { signal });
    const startedAt = Date.now();
    await Promise.all(targets.map((target) => target.start()));
    say(`started again within ${Date.now() - startedAt} ms`);
    return undefined;
  });
  return { name, needs: engines, mayRepeat: true, ...rest, run };
}

/** Duration of a suspension, in milliseconds: Temporal waits ten seconds for a workflow task. */
const SUSPENDED_FOR_MS = 12_000;

/** Suspends the processes that run workflows, as with the machine they are on. */
export const standstill: Fault = {
  name: 'standstill',
  description: 'workers are suspended for longer than Temporal waits, and resume',
  needs: engines,
  mayRepeat: true,
  run: perRound(async ({ fixture: { service, workers }, signal, say }) => {
    const targets = workers.length > 0 ? workers : [service];
    for (const target of targets) target.signal('SIGSTOP');
    say(`suspended ${targets.map(({ name }) => name).join(', ')}`);
    try {
      await pause(SUSPENDED_FOR_MS, undefined, { signal });
    } finally {
      for (const target of targets) target.signal('SIGCONT');
    }
    return undefined;
  }),
};
