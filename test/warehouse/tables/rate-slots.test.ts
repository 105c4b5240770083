import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/app/store.ts';
import { createPace } from '../../../src/warehouse/client/pace.ts';
import type { SharedSlots } from '../../../src/warehouse/tables/rate-slots.ts';
import { describeOnPostgres, openIn, type TestDatabase } from '../../store/databases.ts';
import { never } from '../open-warehouse.ts';

const HOLD_MS = 10_000;

const slotsOf = ({ rateSlotsOf }: Store, warehouse = '9104'): SharedSlots => {
  if (!rateSlotsOf) throw new Error('only PostgreSQL has them');
  return rateSlotsOf(warehouse);
};

/** Opens the store of another process of the same database. */
const openAll = async (database: TestDatabase, count: number) => {
  const location = await database.locate();
  return await Promise.all(Array.from({ length: count }, () => openIn(database, { location })));
};

describeOnPostgres('the slots of a rate', (database) => {
  it('are taken once, by whichever process', async () => {
    const stores = await openAll(database, 2);
    const taken = await Promise.all(
      [...stores, ...stores].map((store) =>
        slotsOf(store)
          .take(3, HOLD_MS)
          .then((it) => ('slot' in it ? it.slot : 'none')),
      ),
    );
    expect(taken.toSorted()).toEqual([0, 1, 2, 'none']);
  });

  it('are free again after the time that their holder says, or after a hold that nobody ends', async () => {
    const slots = slotsOf(await openIn(database));
    const first = await slots.take(2, 900.5);
    expect(first).toHaveProperty('slot');
    expect(await slots.take(2, HOLD_MS)).toHaveProperty('slot');
    await pause(1000);
    const again = await slots.take(2, HOLD_MS);
    expect(again).toEqual(first);
    const { waitMs } = (await slots.take(2, HOLD_MS)) as { waitMs: number };
    expect(waitMs).toBeGreaterThan(HOLD_MS / 2);
    if ('slot' in again) await slots.free(again.slot, 0.4);
    // The time is kept in whole milliseconds.
    await pause(5);
    expect(await slots.take(2, HOLD_MS)).toEqual(first);
  });

  it('are free if they were taken for longer than anybody holds one, as by a clock that was ahead', async () => {
    const store = await openIn(database);
    const slots = slotsOf(store);
    expect(await slots.take(1, 10 * HOLD_MS)).toEqual({ slot: 0 });
    expect(await slots.take(1, 6 * HOLD_MS)).toHaveProperty('waitMs');
    expect(await slots.take(1, HOLD_MS)).toEqual({ slot: 0 });
  });

  it('are those of one warehouse', async () => {
    const store = await openIn(database);
    expect(await slotsOf(store).take(1, HOLD_MS)).toEqual({ slot: 0 });
    expect(await slotsOf(store, '9105').take(1, HOLD_MS)).toEqual({ slot: 0 });
  });
});

describeOnPostgres('processes that share a rate', (database) => {
  it('let no more calls arrive than it allows within a second, whichever of them is late', {
    timeout: 60_000,
  }, async () => {
    const stores = await openAll(database, 3);
    const delay = fc.sample(fc.oneof(fc.constant(0), fc.nat(400)), { numRuns: 90, seed: 1 });
    const paces = stores.map((store) => createPace({ perSecond: 10, shared: slotsOf(store) }));
    const arrived: number[] = [];
    const asked = { signal: never, rank: () => 0, withinMs: 60_000 };
    const calls = delay.map(async (ms, index) => {
      const turn = await paces[index % paces.length]?.next(asked);
      if (ms > 0) await pause(ms);
      turn?.begin();
      // It may be late on its way, too; the answer comes at once.
      if (ms > 300) await pause(ms);
      arrived.push(performance.now());
      turn?.answered();
    });
    // Blocks the processes, as a large answer does that is parsed.
    const blocking = setInterval(() => {
      const until = performance.now() + 300;
      while (performance.now() < until);
    }, 1000);
    await Promise.all(calls).finally(() => clearInterval(blocking));
    const sorted = arrived.toSorted((a, b) => a - b);
    expect(sorted).toHaveLength(90);
    for (const [index, at] of sorted.entries()) {
      expect(at - (sorted[index - 10] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(1000);
    }
  });
});
