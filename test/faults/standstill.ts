import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultContext } from './fault.ts';
import { playOnce } from './load.ts';

/** When a standstill begins after the load did, at most, and how long it lasts: Temporal waits ten seconds for a workflow's task. */
const STOP_WITHIN_MS = 2_500;
const STILL_FOR_MS = 12_000;

/** Whoever runs workflows stands still, as a process does whose machine is suspended, and then goes on with what it was at. */
export const standstill: Fault = {
  name: 'standstill',
  says: 'whoever runs workflows stands still for longer than Temporal waits, and then goes on',
  needs: 'both',
  mayRepeat: true,
  async run(context) {
    for (let round = 1; round <= context.rounds; round += 1) await standStillOnce(context, round);
  },
};

async function standStillOnce({ world, rounds, moments, signal, say, settle }: FaultContext, round: number) {
  const { service, workers } = world;
  const playing = playOnce(world.simulator);
  const afterMs = moments.between(0, STOP_WITHIN_MS);
  await pause(afterMs, undefined, { signal });
  const victims = workers.length > 0 ? workers : [service];
  for (const victim of victims) victim.signal('SIGSTOP');
  say(`round ${round} of ${rounds}: ${victims.map(({ name }) => name).join(', ')} stand still after ${afterMs} ms`);
  try {
    await pause(STILL_FOR_MS, undefined, { signal });
  } finally {
    for (const victim of victims) victim.signal('SIGCONT');
  }
  await playing;
  await settle();
}
