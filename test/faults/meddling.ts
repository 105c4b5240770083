import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultContext } from './fault.ts';
import { FaultError } from './fault-error.ts';
import { playOnce } from './load.ts';
import type { World } from './world.ts';

/** When somebody begins to meddle after the load began, and how long what fails beside it has failed by then, at most, in milliseconds. */
const WITHIN_MS = 2_500;
const FAILING_FOR_MS = 1_500;

/**
 * How long everything may take once all is well, in milliseconds. Dockline runs with the `REDISPATCH_AFTER_MS` of its users, though
 * a shorter one would make for shorter rounds, since this is what they are promised.
 */
const SOON_MS = 60_000;

/** Does something to Temporal; returns what it did. */
export type Meddle = (context: FaultContext, round: number) => Promise<string>;

/**
 * A fault that meddles with Temporal, round after round, at random moments under load. Meanwhile the warehouse, the destination,
 * both or neither fail, so that there are events that wait for a GET and announcements that wait. Nothing that is done to Temporal
 * cuts off an exchange with the destination, so no announcement may come again.
 */
export function meddling(name: string, { says, meddle }: Pick<Fault, 'says'> & { readonly meddle: Meddle }): Fault {
  const run = async (context: FaultContext) => {
    for (let round = 1; round <= context.rounds; round += 1) await meddleOnce(context, meddle, round);
  };
  return { name, says, needs: 'both', mayRepeat: false, run };
}

async function meddleOnce(context: FaultContext, meddle: Meddle, round: number): Promise<void> {
  const { world, rounds, moments, signal, say, settle } = context;
  const playing = playOnce(world.simulator);
  const afterMs = moments.between(0, WITHIN_MS);
  await pause(afterMs, undefined, { signal });
  const { says, set } = failures[(round - 1) % failures.length] ?? neither;
  set(world, true);
  await pause(moments.between(0, FAILING_FOR_MS), undefined, { signal });
  const did = await meddle(context, round);
  say(`round ${round} of ${rounds}: ${did}, ${afterMs} ms after the load began, while ${says}`);
  await pause(moments.between(0, FAILING_FOR_MS), undefined, { signal });
  set(world, false);
  await playing;
  const wellAt = Date.now();
  await settle();
  const tookMs = Date.now() - wellAt;
  say(`round ${round} of ${rounds}: everything was announced within ${tookMs} ms`);
  if (tookMs > SOON_MS) throw new FaultError(`it took ${tookMs} ms until everything was announced`);
}

/** Something else that fails for a while. It answers, since an exchange that is cut off would excuse a repeat. */
interface Failure {
  readonly says: string;
  set(world: World, fails: boolean): void;
}

const warehouse: Failure = {
  says: 'the warehouse answers 503',
  set: ({ simulator }, fails) => simulator.setFaults({ down: fails, tokenToo: fails }),
};

const destination: Failure = {
  says: 'the destination answers 503',
  set: ({ receiver }, fails) => receiver.setAnswer(fails ? 503 : 204),
};

const both: Failure = {
  says: 'the warehouse and the destination answer 503',
  set(world, fails) {
    for (const one of [warehouse, destination]) one.set(world, fails);
  },
};

const neither: Failure = { says: 'all else is well', set: () => {} };

const failures: readonly Failure[] = [both, warehouse, destination, neither];
