import { setTimeout as pause } from 'node:timers/promises';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { openTemporal, type Temporal } from '../../src/temporal/connection.ts';
import { pass } from './end-to-end.ts';
import type { Extent } from './extent.ts';
import { figure } from './figure.ts';
import { countHistory, type HistoryCount } from './history-count.ts';
import type { Verdict } from './ledger.ts';
import { live } from './quiet.ts';
import type { CostResult, Mode, ModeCost, OrderCost } from './results.ts';
import { mean } from './statistics.ts';
import { naming, type Surroundings } from './surroundings.ts';
import { openSystem, type System } from './system.ts';
import { TENANT } from './workload.ts';

/** A burst has far more orders than it takes for a mean. */
const SAMPLE = 50;
const SETTLED_MS = 1_000;
const LOOKS = 20;

/**
 * Counts what orders of six events cost on SQLite in each mode. Their workflows have come to rest and wait for the end of the quiet
 * period, which takes one more workflow task and no action.
 */
export async function measureCost(
  surroundings: Surroundings,
  extent: Extent,
): Promise<{ readonly result: CostResult; readonly verdicts: readonly Verdict[] }> {
  const inline = await naming('inline', () => costIn('inline', surroundings, extent));
  const regular = await naming('regular', () => costIn('regular', surroundings, extent));
  return { result: { inline: inline.cost, regular: regular.cost }, verdicts: [inline.verdict, regular.verdict] };
}

async function costIn(
  mode: Mode,
  surroundings: Surroundings,
  { warmUpOrders, lives, orders }: Extent,
): Promise<{ readonly cost: ModeCost; readonly verdict: Verdict }> {
  await using opened = new AsyncDisposableStack();
  const system = await openSystem('sqlite', { ...surroundings, env: { TEMPORAL_ACTIVITIES: mode } }, opened);
  await pass(system, '16', warmUpOrders);
  const oneByOne = await live(system, lives);
  const burst = await pass(system, 'burst', orders);
  const cost = {
    oneByOne: { ...(await costOf(system, oneByOne.orderIds)), calls: oneByOne.callsPerEvent },
    burst: { ...(await costOf(system, spread(burst.orderIds))), calls: burst.callsPerEvent },
  };
  const actions = [cost.oneByOne, cost.burst].map((one) => figure(one.actions));
  surroundings.say(`cost, ${mode}: ${actions[0]} billable actions for an order one by one, ${actions[1]} in a burst`);
  return { cost, verdict: system.verdict() };
}

/** Some of all, as far from each other as they can be: the first of a burst find another system than the last. */
const spread = (orderIds: readonly string[]): string[] =>
  orderIds.filter((_, index) => index % Math.ceil(orderIds.length / SAMPLE) === 0);

type Counted = HistoryCount & { readonly bytes: number };

async function costOf({ arena }: System, orderIds: readonly string[]): Promise<Omit<OrderCost, 'calls'>> {
  await using opened = new AsyncDisposableStack();
  const options = { address: arena.temporal?.address ?? '', namespace: 'default' };
  const connection = opened.adopt(openTemporal(options), (it) => it.close());
  const counted = await settled(() => Promise.all(orderIds.map((id) => look(connection, id))));
  const meanOf = (name: keyof Counted) => mean(counted.map((one) => one[name]));
  return {
    ...{ events: meanOf('events'), bytes: meanOf('bytes') },
    ...{ signals: meanOf('signals'), workflowTasks: meanOf('workflowTasks') },
    ...{ activities: meanOf('activities'), localActivities: meanOf('localActivities') },
    ...{ upserts: meanOf('upserts'), timers: meanOf('timers'), actions: meanOf('actions') },
  };
}

async function look({ client }: Temporal, id: string): Promise<Counted> {
  const handle = client.workflow.getHandle(subjectKey({ tenant: TENANT, kind: 'order', id }));
  const { historySize = 0 } = await handle.describe();
  const { events } = await handle.fetchHistory();
  return { ...countHistory(events ?? []), bytes: historySize };
}

/** What is the same a second later; the last look where it keeps changing. */
async function settled(lookNow: () => Promise<readonly Counted[]>): Promise<readonly Counted[]> {
  let seen = await lookNow();
  for (let looks = 1; looks < LOOKS; looks += 1) {
    await pause(SETTLED_MS);
    const before = JSON.stringify(seen);
    seen = await lookNow();
    if (JSON.stringify(seen) === before) break;
  }
  return seen;
}
