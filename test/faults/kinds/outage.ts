import { setTimeout as pause } from 'node:timers/promises';
import { catalogue } from '../../../src/domain/catalogue/catalogue.ts';
import type { Faults } from '../../../src/sandbox/simulator/api/faults.ts';
import { type Fault, type FaultContext, startLoad } from '../fault.ts';
import type { Fixture } from '../fixture/fixture.ts';
import type { GateMode } from '../fixture/gate.ts';
import { switchOff, switchOn } from '../injection/injection.ts';

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
export const postgresRestarts: Outage = async (context, hold) => {
  const { signal } = context;
  const over = hold().then(() => true);
  const wait = () => Promise.race([over, pause(RESTART_EVERY_MS, false, { signal })]);
  do await postgresIsDown(context, () => pause(RESTART_MS, undefined, { signal }));
  while (!(await wait()));
};

/** Stops PostgreSQL. */
export const postgresIsDown: Outage = async ({ fixture: { database } }, hold) => {
  await database?.stop();
  await hold();
  database?.start();
};

/** Stops a worker, as with the machine it is on. */
export const workerIsDown: Outage = async ({ fixture: { workers } }, hold) => {
  const [worker] = workers;
  await worker?.kill();
  await hold();
  await worker?.start();
};

/** Makes the warehouse rename its events. It ends with aliases, with which everything is ingested that was quarantined. */
export const eventsAreRenamed: Outage = async ({ fixture: { simulator, service } }, hold) => {
  simulator.setManners({ spelling: 'renamed' });
  await hold();
  simulator.setManners({ spelling: 'name' });
  service.configure({ WEBHOOK_EVENT_ALIASES: catalogue.map(({ name }) => `${name}V2=${name}`).join() });
  await service.stop();
  await service.start();
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
