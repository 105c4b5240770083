import { setTimeout as pause } from 'node:timers/promises';
import type { Faults } from '../../../sandbox/simulator/api/faults.ts';
import { catalogue } from '../../../src/domain/catalogue/catalogue.ts';
import { type Fault, type FaultContext, FaultError, startLoad } from '../fault.ts';
import type { Fixture } from '../fixture/fixture.ts';
import type { GateMode } from '../fixture/gate.ts';
import { resizeDisk, switchOff, switchOn } from '../injection/injection.ts';

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

/** Time in which everything that was given up is sent again, in milliseconds. */
const RESENT_WITHIN_MS = 60_000;

/** Closes the way to the destination. What was given up meanwhile is sent again afterwards, as by a person. */
export const destinationIsDown: Outage = async (context, hold) => {
  await destinationFails(() => 'closed')(context, hold);
  const { fixture, signal } = context;
  const until = Date.now() + RESENT_WITHIN_MS;
  while (await resendDeadLetters(fixture)) {
    if (Date.now() > until) throw new FaultError('dead letters are left');
    await pause(1_000, undefined, { signal });
  }
};

/** Begins to send all dead letters again; reports whether there are any. */
async function resendDeadLetters({ adminUrl }: Fixture): Promise<boolean> {
  const post = async (path: string, body?: object) => {
    const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(adminUrl + path, { method: 'POST', ...json });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { readonly id: string; readonly total: number };
  };
  const { id, total } = await post('/bulk', { action: 'resend', filter: {} });
  if (total > 0) await post(`/bulk/${id}/confirm`);
  return total > 0;
}

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
  await database?.start();
};

/** Stops a worker, as with the machine it is on. */
export const workerIsDown: Outage = async ({ fixture: { workers } }, hold) => {
  const [worker] = workers;
  await worker?.kill();
  await hold();
  await worker?.start();
};

/** Stops every process of Dockline. They start one after the other, since webhooks of the whole outage come at once then. */
export const docklineIsDown: Outage = async ({ fixture: { processes } }, hold) => {
  await Promise.all(processes.map((process) => process.stop()));
  await hold();
  for (const process of processes) await process.start();
};

/** Leaves little room on the disk. */
export const diskIsNearlyFull: Outage = async ({ fixture: { folder } }, hold) => {
  await resizeDisk(folder, true);
  await hold();
  await resizeDisk(folder, false);
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
