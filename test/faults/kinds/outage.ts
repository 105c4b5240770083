import { setTimeout as pause } from 'node:timers/promises';
import type { Faults } from '../../../src/sandbox/simulator/api/faults.ts';
import { type Fault, type FaultContext, startLoad } from '../fault.ts';
import type { Fixture } from '../fixture/fixture.ts';
import type { GateMode } from '../fixture/gate.ts';
import { switchOff, switchOn } from '../injection/injection.ts';

/** Healthy time before an outage, in milliseconds. */
const HEALTHY_MS = 1_500;

/** Outage that lasts as long as `hold` does. */
type Outage = (context: FaultContext, hold: () => Promise<void>) => Promise<void>;

/** Creates a fault in which something fails for a while under load. */
export function outage(
  name: string,
  {
    fail,
    ...rest
  }: Pick<Fault, 'description'> & Partial<Pick<Fault, 'needs' | 'mayRepeat' | 'inject'>> & { readonly fail: Outage },
): Fault {
  const run = async (context: FaultContext) => {
    const { fixture, seconds, signal, say, settle } = context;
    const stopLoad = startLoad(fixture.simulator);
    await pause(HEALTHY_MS, undefined, { signal });
    const before = countsOf(fixture);
    await fail(context, async () => {
      say(`${rest.description}, for ${seconds} s`);
      await pause(seconds * 1000, undefined, { signal });
    });
    say(`the outage is over: ${describe(before, countsOf(fixture))}`);
    await stopLoad();
    await settle();
  };
  return { name, needs: ['sqlite'], mayRepeat: false, ...rest, run };
}

/** Makes the warehouse's API fail. */
export const warehouseFails =
  (faults: Partial<Faults>): Outage =>
  async ({ fixture: { simulator } }, hold) => {
    simulator.setFaults({ tokenToo: true, ...faults });
    await hold();
    simulator.setFaults(noFaults);
  };

const noFaults: Partial<Faults> = {
  ...{ down: false, rateLimitRate: 0, latencyMs: 0, unauthenticated: false, tokenToo: false },
};

/** Disturbs the connections to the destination. */
export const destinationFails =
  (mode: (context: FaultContext) => GateMode): Outage =>
  async (context, hold) => {
    context.fixture.gate.set(mode(context));
    await hold();
    context.fixture.gate.set('open');
  };

/** Makes the destination redirect. */
export const destinationRedirects: Outage = async ({ fixture: { receiver } }, hold) => {
  receiver.setAnswer(307, { location: `${receiver.url}?elsewhere` });
  await hold();
  receiver.setAnswer(204);
};

/** Stops Temporal. */
export const temporalIsDown: Outage = async ({ fixture: { temporal } }, hold) => {
  await temporal.stop();
  await hold();
  await temporal.start();
};

/** Period and duration of PostgreSQL's restarts, in milliseconds. */
const RESTART_EVERY_MS = 3_000;
const RESTART_MS = 1_000;

/** Restarts PostgreSQL again and again. */
export const postgresRestarts: Outage = async ({ fixture: { database }, signal }, hold) => {
  const over = hold().then(() => true);
  const wait = () => Promise.race([over, pause(RESTART_EVERY_MS, false, { signal })]);
  do await database?.restart(RESTART_MS, signal);
  while (!(await wait()));
};

/** Makes lookups fail, and cuts the connections that exist. */
export const lookupsFail: Outage = async ({ fixture: { folder, gate } }, hold) => {
  await switchOn(folder);
  gate.cut();
  await hold();
  await switchOff(folder);
};

interface Counts {
  readonly announced: number;
  readonly answered: Readonly<Record<string, number>>;
}

const countsOf = ({ simulator, receiver }: Fixture): Counts => ({
  announced: receiver.tally().received,
  answered: simulator.counts().answered,
});

function describe(before: Counts, after: Counts): string {
  const answers = Object.entries(after.answered).map(
    ([status, count]) => `${status} ${count - (before.answered[status] ?? 0)} times`,
  );
  return `webhooks were answered ${answers.join(', ')}; ${after.announced - before.announced} announcements were received`;
}
