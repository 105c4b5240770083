import type { Faults } from '../../../sandbox/simulator/api/faults.ts';
import { type Fault, type FaultContext, startLoad } from '../fault.ts';
import type { Fixture } from '../fixture/fixture.ts';
import type { GateMode } from '../fixture/gate.ts';

/** Outage that lasts as long as `hold` does. */
type Outage = (context: FaultContext, hold: () => Promise<void>) => Promise<void>;

/** Creates a fault in which something fails for a while under load. */
export function outage(
  name: string,
  {
    fail,
    ...rest
  }: Pick<Fault, 'description'> & Partial<Omit<Fault, 'name' | 'description' | 'run'>> & { readonly fail: Outage },
): Fault {
  const run = async (context: FaultContext) => {
    const { fixture, say, settle } = context;
    const stopLoad = startLoad(fixture.simulator);
    await context.untilHealthy();
    const before = countsOf(fixture);
    await fail(context, async () => {
      say(rest.description);
      await context.endure();
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
  down: false,
  rateLimitRate: 0,
  latencyMs: 0,
  unauthenticated: false,
  tokenToo: false,
};

/** Disturbs the connections to the destination. */
export const destinationFails =
  (mode: (context: FaultContext) => GateMode): Outage =>
  async (context, hold) => {
    context.fixture.gate.set(mode(context));
    await hold();
    context.fixture.gate.set('open');
  };

/** Stops Temporal. */
export const temporalIsDown: Outage = async ({ fixture: { temporal } }, hold) => {
  await temporal.stop();
  await hold();
  await temporal.start();
};

/** Stops PostgreSQL. */
export const postgresIsDown: Outage = async ({ fixture: { postgres } }, hold) => {
  await postgres?.kill();
  await hold();
  await postgres?.start();
};

/** Stops every process of Dockline. They start one after the other, since webhooks of the whole outage come at once then. */
export const docklineIsDown: Outage = async ({ fixture: { processes } }, hold) => {
  await Promise.all(processes.map((process) => process.stop()));
  await hold();
  for (const process of processes) await process.start();
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
