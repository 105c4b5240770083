import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import type { OrderScenario } from '../../sandbox/simulator/scenarios/scenarios.ts';
import { useSystem } from '../support/shared-system.ts';
import type { System } from '../support/system.ts';

/** Polls a condition that reads everything less often. */
const slowly = { interval: 250 };
const LAG_MS = 2500;

/** Returns the milestones of the events of every subject whose events say everything, and what was announced of it. */
const histories = ({ simulator, announced }: Pick<System, 'simulator' | 'announced'>) =>
  simulator
    .truth()
    .filter(({ kind }) => kind !== 'item' && kind !== 'stock')
    .map(({ kind, id, events }) => ({
      happened: [`${kind} ${id}`, ...events.map(({ milestone }) => milestone).sort()],
      told: [
        `${kind} ${id}`,
        ...announced(id, kind)
          .map((text) => text.replace(/^\d+\/| late$| inferred$/g, ''))
          .sort(),
      ],
    }));

/** Resolves once nothing is left that a GET denied and that is to be looked at again, and everything that this changed is announced. */
async function untilLookedAgain({ service }: Pick<System, 'service'>): Promise<void> {
  const { db } = service().store;
  const denied = db.selectFrom('subjects').select('subject_id').where('look_again_at', 'is not', null);
  await expect.poll(() => denied.execute(), slowly).toEqual([]);
  await expect.poll(async () => (await createSummary(service().store).announcements()).unsent).toBe(0);
}

/** All but the one in which an order is excluded and picked later: a GET on a busy machine shows that before either event has arrived. */
const scenarios = [
  ...(['straight', 'noPickOrPack', 'pickedByLine', 'pickedAndPackedAgain', 'pickedIncomplete'] as const),
  ...(['reopened', 'canceledEarly', 'canceledLate', 'deleted'] as const),
] satisfies readonly OrderScenario[];

const all = { scenarios, orders: 10, receipts: 4, adjustments: 4, assemblies: 4, items: 2, stock: 2, holds: 2 };

describe('a warehouse whose GETs lag behind its webhooks', () => {
  const shared = useSystem({
    simulator: { pace: 150, manners: { readLagMs: 700 } },
    env: { WAREHOUSE_READ_LAG_MS: String(LAG_MS) },
  });

  it('has none of its events of any family taken back', async () => {
    const system = shared();
    await system.simulator.play(all);
    const happened = histories(system).map((history) => history.happened);
    await expect.poll(() => histories(system).map(({ told }) => told), slowly).toEqual(happened);
    // What GETs denied is looked at again.
    await untilLookedAgain(system);
    expect(histories(system).map(({ told }) => told)).toEqual(happened);
    expect(system.receiver.tally()).toMatchObject({ duplicates: 0, outOfOrder: 0 });
  });
});

describe('a warehouse whose resources lack what others have', () => {
  const shared = useSystem({
    simulator: { pace: 50, manners: { omitStatus: true, bareTransactions: true, packagesFirst: true } },
    env: { WAREHOUSE_READ_LAG_MS: '500', WAREHOUSE_ORDER_DETAIL: 'orderItems,packages' },
  });

  it('has every event announced, and nothing inferred from what is not there', async () => {
    const system = shared();
    await system.simulator.play(all);
    const happened = histories(system).map((history) => history.happened);
    await expect.poll(() => histories(system).map(({ told }) => told), slowly).toEqual(happened);
    const { getAdjustment = 0, getAssembly = 0 } = system.simulator.counts().calls;
    const startedAt = Date.now();
    await pause(2000);
    expect(histories(system).map(({ told }) => told)).toEqual(happened);
    const { calls } = system.simulator.counts();
    // The GETs of what cannot be read are repeated at growing intervals, if at all: at most six a second of four of a kind.
    const atMost = (6 * (Date.now() - startedAt)) / 1000;
    expect((calls.getAdjustment ?? 0) - getAdjustment).toBeLessThan(atMost);
    expect((calls.getAssembly ?? 0) - getAssembly).toBeLessThan(atMost);
  });
});
