import { setTimeout as pause } from 'node:timers/promises';
import { engines, type Fault, type FaultContext, FaultError, perRound } from '../fault.ts';
import type { Fixture } from '../fixture/fixture.ts';

/** Maximum time that the other failure lasts before and after the interference, in milliseconds. */
const FAILING_FOR_MS = 1_500;

/**
 * Maximum time until everything is announced once all is healthy, in milliseconds. Dockline runs with the default
 * `REDISPATCH_AFTER_MS`, though a shorter one would make shorter rounds, since this is what users are promised.
 */
const RECOVERY_MS = 60_000;

/** Interferes with Temporal; returns a description of what it did. */
export type Interfere = (context: FaultContext, round: number) => Promise<string>;

/**
 * Creates a fault that interferes with Temporal while the warehouse, the destination, both or neither fail, so that events wait for a
 * GET and announcements wait. No interference cuts off an exchange with the destination, so no announcement may be repeated.
 */
export function interference(
  name: string,
  { description, interfere }: Pick<Fault, 'description'> & { readonly interfere: Interfere },
): Fault {
  const run = perRound(async (context, round) => {
    const { fixture, moments, signal, say } = context;
    const failure = failures[(round - 1) % failures.length] ?? neither;
    failure.set(fixture, true);
    await pause(moments.between(0, FAILING_FOR_MS), undefined, { signal });
    const action = await interfere(context, round);
    say(`${action} while ${failure.description}`);
    await pause(moments.between(0, FAILING_FOR_MS), undefined, { signal });
    failure.set(fixture, false);
    return (tookMs) => {
      say(`everything was announced within ${tookMs} ms`);
      if (tookMs > RECOVERY_MS) throw new FaultError(`it took ${tookMs} ms until everything was announced`);
    };
  });
  return { name, description, needs: engines, mayRepeat: false, run };
}

/** Other failure for a while. It answers, since an exchange that is cut off would excuse a repeat. */
interface Failure {
  readonly description: string;
  set(fixture: Fixture, fails: boolean): void;
}

const warehouse: Failure = {
  description: 'the warehouse answers 503',
  set: ({ simulator }, fails) => simulator.setFaults({ down: fails, tokenToo: fails }),
};

const destination: Failure = {
  description: 'the destination answers 503',
  set: ({ receiver }, fails) => receiver.setAnswer(fails ? 503 : 204),
};

const both: Failure = {
  description: 'the warehouse and the destination answer 503',
  set(fixture, fails) {
    for (const one of [warehouse, destination]) one.set(fixture, fails);
  },
};

const neither: Failure = { description: 'all else is healthy', set: () => {} };

const failures: readonly Failure[] = [both, warehouse, destination, neither];
