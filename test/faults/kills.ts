import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultContext } from './fault.ts';
import { playOnce } from './load.ts';
import type { Victim } from './victim.ts';
import type { World } from './world.ts';

/** When something is killed after the load began, and how long it stays away, at most, in milliseconds. */
const KILL_WITHIN_MS = 2_500;
const AWAY_FOR_MS = 1_000;

type Choose = (context: FaultContext) => readonly Victim[];

/** A fault that kills, round after round, at a random moment under load. */
export function killing(
  name: string,
  { says, needs = 'both', choose }: Pick<Fault, 'says'> & { readonly needs?: Fault['needs']; readonly choose: Choose },
): Fault {
  const run = async (context: FaultContext) => {
    for (let round = 1; round <= context.rounds; round += 1) {
      await killOnce(context, choose(context), `round ${round} of ${context.rounds}`);
    }
  };
  return { name, says, needs, mayRepeat: true, run };
}

async function killOnce(context: FaultContext, victims: readonly Victim[], round: string): Promise<void> {
  const { world, moments, signal, say, settle } = context;
  const playing = playOnce(world.simulator);
  const afterMs = moments.between(0, KILL_WITHIN_MS);
  await pause(afterMs, undefined, { signal });
  await Promise.all(victims.map((victim) => victim.kill()));
  say(`${round}: killed ${victims.map(({ name }) => name).join(', ')} after ${afterMs} ms`);
  await pause(moments.between(0, AWAY_FOR_MS), undefined, { signal });
  const startedAt = Date.now();
  await Promise.all(victims.map((victim) => victim.start()));
  say(`${round}: started again within ${Date.now() - startedAt} ms`);
  await playing;
  await settle();
}

/** Everything but the two sides that hold the truth. */
export const everythingOf = ({ temporal, service, workers }: World): readonly Victim[] => [
  temporal,
  service,
  ...workers,
];
