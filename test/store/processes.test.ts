import { expect, it, onTestFinished, vi } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { createProcesses } from '../../src/store/processes.ts';
import { describeOnBoth, openIn, type TestDatabase } from './databases.ts';

/** Opens a database with a manual clock and manual timers for all its processes. */
async function openWith(database: TestDatabase) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = { now: 1_000_000 };
  const { db, clock: shared } = await openIn(database, { now: () => clock.now });
  const join = async () => {
    const processes = createProcesses({ db, clock: shared });
    onTestFinished(() => processes.leave());
    await processes.join();
    return processes;
  };
  /** Advances the clock and the timers. */
  const pass = (ms: number) => {
    clock.now += ms;
    vi.advanceTimersByTime(ms);
  };
  return { db, clock, shared, join, pass };
}

const count = async ({ db }: Pick<Store, 'db'>) => (await db.selectFrom('processes').select('id').execute()).length;

describeOnBoth('a process', (database) => {
  it('is alone if there is no other, once it has joined', async () => {
    const { db, shared, join } = await openWith(database);
    expect(createProcesses({ db, clock: shared }).isAlone()).toBe(false);
    expect((await join()).isAlone()).toBe(true);
  });

  it('sees an earlier one immediately, which sees it within seconds', async () => {
    const { join, pass } = await openWith(database);
    const first = await join();
    const second = await join();
    expect([first.isAlone(), second.isAlone()]).toEqual([true, false]);
    pass(2_000);
    await expect.poll(first.isAlone).toBe(false);
    expect(second.isAlone()).toBe(false);
  });

  it('stays registered while it sends heartbeats', async () => {
    const { db, join, pass } = await openWith(database);
    const first = await join();
    const second = await join();
    for (let seconds = 0; seconds < 30; seconds += 2) {
      const before = await heartbeats(db);
      pass(2_000);
      await expect.poll(async () => (await heartbeats(db)).every((at, index) => at > (before[index] ?? 0))).toBe(true);
    }
    expect([first.isAlone(), second.isAlone()]).toEqual([false, false]);
    expect(await count({ db })).toBe(2);
  });

  it('is unregistered once it has left, and is not alone itself then', async () => {
    const { db, join, pass } = await openWith(database);
    const first = await join();
    const second = await join();
    await first.leave();
    expect(first.isAlone()).toBe(false);
    pass(2_000);
    await expect.poll(second.isAlone).toBe(true);
    expect(await count({ db })).toBe(1);
  });

  it('that died expires after fifteen seconds', async () => {
    const { db, clock, join } = await openWith(database);
    await join();
    clock.now += 15_000;
    expect((await join()).isAlone()).toBe(false);
    await db.deleteFrom('processes').where('heartbeat_at', '=', clock.now).execute();
    clock.now += 1;
    expect((await join()).isAlone()).toBe(true);
    expect(await count({ db })).toBe(1);
  });

  it('that died while its clock was ahead does not stay', async () => {
    const { db, clock, join } = await openWith(database);
    clock.now += 7_200_000;
    await join();
    clock.now -= 7_200_000;
    expect((await join()).isAlone()).toBe(true);
    expect(await count({ db })).toBe(1);
  });

  it('is not alone while the database fails, and is again once it recovers', async () => {
    const { db, join, pass } = await openWith(database);
    const process = await join();
    await db.schema.alterTable('processes').renameTo('elsewhere').execute();
    const mend = () => db.schema.alterTable('elsewhere').renameTo('processes').execute();
    onTestFinished(() => mend().catch(() => undefined));
    pass(2_000);
    await expect.poll(process.isAlone).toBe(false);
    await mend();
    pass(2_000);
    await expect.poll(process.isAlone).toBe(true);
  });

  const heartbeats = async (db: Store['db']) =>
    (await db.selectFrom('processes').select('heartbeat_at').orderBy('id').execute()).map((row) => row.heartbeat_at);
});
