import { setTimeout as pause } from 'node:timers/promises';
import type { Faults } from '../../src/sandbox/simulator/api/faults.ts';
import type { Fault, FaultContext } from './fault.ts';
import type { GateMode } from './gate.ts';
import { keepPlaying } from './load.ts';
import { switchOff, switchOn } from './tampering.ts';
import type { World } from './world.ts';

/** How long all is well before something fails, in milliseconds. */
const WELL_MS = 1_500;

/** What fails for a while; `hold` lasts as long as it does. */
type Failure = (context: FaultContext, hold: () => Promise<void>) => Promise<void>;

/** A fault that lasts for a while, under load. */
export function outage(
  name: string,
  {
    says,
    fail,
    ...rest
  }: Pick<Fault, 'says'> & Partial<Pick<Fault, 'needs' | 'mayRepeat' | 'tamper'>> & { readonly fail: Failure },
): Fault {
  const run = async (context: FaultContext) => {
    const { world, seconds, signal, say, settle } = context;
    const load = keepPlaying(world.simulator);
    await pause(WELL_MS, undefined, { signal });
    const before = seen(world);
    await fail(context, async () => {
      say(`${says}, for ${seconds} s`);
      await pause(seconds * 1000, undefined, { signal });
    });
    say(`that is over; meanwhile ${describe(before, seen(world))}`);
    await load.stop();
    await settle();
  };
  return { name, says, needs: 'sqlite', mayRepeat: false, ...rest, run };
}

/** The warehouse's API fails in some way. */
export const warehouseFails =
  (faults: Partial<Faults>): Failure =>
  async ({ world: { simulator } }, hold) => {
    simulator.setFaults({ tokenToo: true, ...faults });
    await hold();
    simulator.setFaults(noFaults);
  };

const noFaults: Partial<Faults> = {
  ...{ down: false, rateLimitRate: 0, latencyMs: 0, unauthenticated: false, tokenToo: false },
};

/** The way to the receiver fails in some way. */
export const destinationFails =
  (mode: (context: FaultContext) => GateMode): Failure =>
  async (context, hold) => {
    context.world.gate.set(mode(context));
    await hold();
    context.world.gate.set('open');
  };

/** The receiver sends everybody elsewhere. */
export const destinationRedirects: Failure = async ({ world: { receiver } }, hold) => {
  receiver.setAnswer(307, { location: `${receiver.url}?elsewhere` });
  await hold();
  receiver.setAnswer(204);
};

/** Temporal is away. */
export const temporalIsAway: Failure = async ({ world: { temporal } }, hold) => {
  await temporal.stop();
  await hold();
  await temporal.start();
};

/** How often PostgreSQL is restarted and how long that takes it, in milliseconds. */
const RESTART_EVERY_MS = 3_000;
const RESTART_MS = 1_000;

/** PostgreSQL is restarted again and again. */
export const postgresRestarts: Failure = async ({ world: { database }, signal }, hold) => {
  const held = hold();
  const over = held.then(() => true);
  const wait = () => Promise.race([over, pause(RESTART_EVERY_MS, false, { signal })]);
  do await database?.restart(RESTART_MS, signal);
  while (!(await wait()));
};

/** No name is resolved, and what was connected is not any more. */
export const namesFail: Failure = async ({ world: { folder, gate } }, hold) => {
  await switchOn(folder);
  gate.cut();
  await hold();
  await switchOff(folder);
};

interface Seen {
  readonly announced: number;
  readonly answered: Readonly<Record<string, number>>;
}

const seen = ({ simulator, receiver }: World): Seen => ({
  announced: receiver.tally().received,
  answered: simulator.counts().answered,
});

function describe(before: Seen, after: Seen): string {
  const answers = Object.entries(after.answered).map(
    ([status, count]) => `${status} ${count - (before.answered[status] ?? 0)} times`,
  );
  return `webhooks were answered ${answers.join(', ')}, and ${after.announced - before.announced} announcements came`;
}
