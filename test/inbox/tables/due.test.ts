import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { command } from '../../../proving/faults/fixture/database.ts';
import type { Store } from '../../../src/app/store.ts';
import { createRedelivery } from '../../../src/destinations/tables/redelivery.ts';
import { describeOnAll, describeOnPostgres, openIn, type TestDatabase } from '../../store/databases.ts';
import { dueSteps, observe, recordAs, recordNext, takeKeys } from '../../store/recordings.ts';
import { announcementOf, entryOf, order, quarantinedEntry, toDefault } from '../../support/make.ts';

const keyOf = (orderId: string) => `order:9104:${orderId}`;

/** Opens a store with a manual clock and one event of each order, which arrived together and may be woken. */
async function openWith(database: TestDatabase, orderIds: readonly string[]) {
  const clock = { now: 1_000 };
  const store = await openIn(database, { now: () => clock.now });
  await store.inbox.add(orderIds.map((id, index) => entryOf(id, index + 1)));
  return { ...store, clock };
}

/** Opens a store with orders whose workflows were just woken. */
async function openWoken(database: TestDatabase, orderIds: readonly string[]) {
  const store = await openWith(database, orderIds);
  expect(await takeKeys(store)).toEqual(orderIds.map(keyOf).toSorted());
  return store;
}

const atOf = async ({ db }: Pick<Store, 'db'>, id: string) =>
  (await db.selectFrom('due').select('at').where('subject_key', '=', keyOf(id)).executeTakeFirst())?.at;

describeOnAll('a subject with a new event', (database) => {
  it('is to be woken once, however many events it has', async () => {
    const { due, ...store } = await openWith(database, ['a', 'b', 'a']);
    expect((await due.takeWakes(10)).toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { key: keyOf('a'), attempts: 1 },
      { key: keyOf('b'), attempts: 1 },
    ]);
    expect(await due.takeWakes(10)).toEqual([]);
    expect(await dueSteps(store)).toEqual({ [keyOf('a')]: 'woken', [keyOf('b')]: 'woken' });
  });

  it('is not due if the delivery is known or quarantined', async () => {
    const store = await openWith(database, ['a']);
    await observe(store, 'a');
    await store.db.deleteFrom('due').execute();
    expect(await store.inbox.add([entryOf('a', 1), quarantinedEntry('p')])).toEqual([false, true]);
    expect(await dueSteps(store)).toEqual({});
  });

  it('is due once a quarantined delivery of it is understood', async () => {
    const { inbox, ...store } = await openWith(database, []);
    await inbox.add([quarantinedEntry('9104:1')]);
    await inbox.add([entryOf('a', 1)]);
    expect(await takeKeys(store)).toEqual([keyOf('a')]);
  });

  it('is not due again until it is recorded, whatever arrives', async () => {
    const { inbox, ...store } = await openWoken(database, ['a']);
    await inbox.add([entryOf('a', 10)]);
    expect(await takeKeys(store)).toEqual([]);
    await observe(store, 'a');
    await inbox.add([entryOf('a', 11)]);
    expect(await takeKeys(store)).toEqual([keyOf('a')]);
  });

  it('is found within a minute if its time is older than what was looked at', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { due, clock, db } = await openWith(database, ['a']);
    clock.now = 100_000;
    await takeKeys({ due });
    await due.nextWakeInMs();
    await db
      .insertInto('due')
      .values({ subject_key: keyOf('b'), step: 'wake', at: 50_000, attempts: 0 })
      .execute();
    expect(await takeKeys({ due })).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(await takeKeys({ due })).toEqual([keyOf('b')]);
  });

  it('is found at once after the clock was set back', async () => {
    const { due, clock, inbox } = await openWith(database, ['a']);
    clock.now = 10_000_000;
    await takeKeys({ due });
    await due.nextWakeInMs();
    clock.now = 5_000_000;
    await inbox.add([entryOf('b', 2)]);
    expect(await takeKeys({ due })).toEqual([]);
    await due.nextWakeInMs();
    clock.now += 5;
    expect(await takeKeys({ due })).toEqual([keyOf('b')]);
  });

  it('lingers for longer the more events wait, up to a second', async () => {
    const { inbox, due, clock, ...store } = await openWith(database, ['a']);
    expect(await due.nextWakeInMs()).toBe(0);
    await takeKeys({ due });
    expect(await due.nextWakeInMs()).toBeUndefined();
    await inbox.add([entryOf('b', 2)]);
    expect(await due.nextWakeInMs()).toBe(5);
    clock.now += 4;
    expect(await takeKeys({ due })).toEqual([]);
    clock.now += 1;
    expect(await takeKeys({ due })).toEqual([keyOf('b')]);
    await inbox.add(Array.from({ length: 400 }, (_, n) => entryOf('c', n + 10)));
    clock.now += 10;
    await inbox.add([entryOf('d', 1000)]);
    expect(await atOf(store, 'd')).toBe(clock.now + 1000);
  });

  it('is taken before those that are due later, up to a limit', async () => {
    const { inbox, due, clock } = await openWith(database, []);
    for (let n = 0; n < 6; n += 1) {
      clock.now += 1000;
      await inbox.add([entryOf(String(9 - n), n + 1)]);
    }
    clock.now += 1000;
    for (const id of ['9', '8', '7', '6', '5', '4']) expect(await due.takeWakes(1)).toMatchObject([{ key: keyOf(id) }]);
  });

  it('is taken by one of several concurrent callers', async () => {
    const { due } = await openWith(database, ['a']);
    const taken = await Promise.all(Array.from({ length: 10 }, () => due.takeWakes(5)));
    expect(taken.flat()).toEqual([{ key: keyOf('a'), attempts: 1 }]);
  });

  it('may be woken again after a while, with the number of its attempts', async () => {
    const { due, clock } = await openWoken(database, ['a']);
    await due.schedule([keyOf('a')], { inMs: 100, attempts: 1 });
    expect(await due.takeWakes(10)).toEqual([]);
    clock.now += 100;
    expect(await due.takeWakes(10)).toEqual([{ key: keyOf('a'), attempts: 2 }]);
    await due.schedule([keyOf('a'), keyOf('b')]);
    expect(await due.takeWakes(10)).toHaveLength(2);
  });
});

describeOnAll('a subject that was woken', (database) => {
  it('is to be looked at from an age on, and again after that time', async () => {
    const { due, clock } = await openWoken(database, ['a']);
    clock.now += 999;
    expect(await due.takeChecks(1000, 10)).toEqual({ taken: 0, open: [] });
    clock.now += 1;
    expect(await due.takeChecks(1000, 10)).toEqual({ taken: 1, open: [keyOf('a')] });
    expect(await due.takeChecks(1000, 10)).toEqual({ taken: 0, open: [] });
    clock.now += 1000;
    expect(await due.takeChecks(1000, 10)).toEqual({ taken: 1, open: [keyOf('a')] });
  });

  it('is done with if its events were quarantined', async () => {
    const { inbox, due, clock, ...store } = await openWoken(database, ['a']);
    await inbox.quarantineAll(keyOf('a'), { code: 'otherSubject' });
    clock.now += 1000;
    expect(await due.takeChecks(1000, 10)).toEqual({ taken: 1, open: [] });
    expect(await dueSteps(store)).toEqual({});
  });

  it('stays woken if more events wait when it is recorded, whose names are returned', async () => {
    const { inbox, clock, ...store } = await openWoken(database, ['1']);
    await inbox.add([entryOf('1', 2, 'OrderConfirm')]);
    clock.now = 1500;
    expect((await recordNext(store, order, ['9104:1'])).waiting).toEqual(['OrderConfirm']);
    expect(await dueSteps(store)).toEqual({ [keyOf('1')]: 'woken' });
    expect(await atOf(store, '1')).toBe(1500);
  });

  it('is settled in the same way without a recording', async () => {
    const { inbox, subjects, ...store } = await openWoken(database, ['1']);
    expect(await subjects.settle(order)).toEqual(['OrderUpdate']);
    expect(await dueSteps(store)).toEqual({ [keyOf('1')]: 'woken' });
    await inbox.quarantine(['9104:1'], { code: 'unrecordable', message: 'because' });
    expect(await subjects.settle(order)).toEqual([]);
    expect(await dueSteps(store)).toEqual({ [keyOf('1')]: 'recorded' });
  });

  it('before the clock was set back is looked at from an age on after that', async () => {
    const { due, clock } = await openWith(database, ['a']);
    clock.now = 7_200_000;
    await due.takeWakes(1);
    clock.now = 2_000;
    await due.repair();
    expect((await due.takeChecks(1000, 10)).open).toEqual([]);
    clock.now = 3_000;
    expect((await due.takeChecks(1000, 10)).open).toEqual([keyOf('a')]);
  });

  it('or was to be, before the clock was set back, is to be woken now', async () => {
    const { due, inbox, clock } = await openWith(database, []);
    clock.now = 7_200_000;
    await inbox.add([entryOf('a', 1)]);
    clock.now = 2_000;
    expect(await takeKeys({ due })).toEqual([]);
    await due.repair();
    expect(await takeKeys({ due })).toEqual([keyOf('a')]);
  });

  it('is to be woken when a process starts that has the database to itself', async () => {
    const { due, ...store } = await openWoken(database, ['a']);
    await due.reset();
    expect(await dueSteps(store)).toEqual({ [keyOf('a')]: database.name === 'SQLite' ? 'wake' : 'woken' });
  });

  it('is found among many, longest first, up to a limit', async () => {
    const { due, db, clock } = await openWith(database, []);
    const keys = Array.from({ length: 2000 }, (_, n) => keyOf(String(n + 10_000)));
    await db
      .insertInto('due')
      .values(keys.map((subject_key, at) => ({ subject_key, step: 'woken', at, attempts: 1 })))
      .execute();
    await sql`analyze`.execute(db);
    clock.now = 100_000;
    for (const left of [1950, 1900, 1850]) {
      expect(await due.takeChecks(1000, 50)).toEqual({ taken: 50, open: [] });
      const rows = await db.selectFrom('due').select('at').orderBy('at').execute();
      expect([rows.length, rows[0]?.at]).toEqual([left, 2000 - left]);
    }
  });
});

describeOnAll('a subject that was recorded', (database) => {
  /** Looks at what was recorded a second ago. */
  const lookAt = async ({ due, clock }: Pick<Store, 'due'> & { readonly clock: { now: number } }) => {
    clock.now += 1000;
    return (await due.takeChecks(1000, 10)).open;
  };

  it('is done with once its announcements are sent', async () => {
    const { outbox, ...store } = await openWoken(database, ['1']);
    await recordNext(store, order, ['9104:1']);
    expect(await lookAt(store)).toEqual([keyOf('1')]);
    await outbox.sent(toDefault(announcementOf(1).id), { status: 204, ms: 1 });
    expect(await lookAt(store)).toEqual([]);
    expect(await dueSteps(store)).toEqual({});
  });

  it('is done with while its announcements are dead letters, and to be woken when they are requeued', async () => {
    const { clock, ...store } = await openWoken(database, ['1']);
    const { id } = announcementOf(1);
    await recordNext(store, order, ['9104:1']);
    await store.outbox.deadLetter(toDefault(id), 'answered 410');
    expect(await lookAt({ ...store, clock })).toEqual([]);
    await createRedelivery({ ...store, clock: () => sql`cast(${clock.now} as bigint)` }).requeue([id]);
    expect(await takeKeys(store)).toEqual([keyOf('1')]);
    clock.now += 1000;
    expect((await store.due.takeChecks(1000, 10)).open).toEqual([keyOf('1')]);
  });

  it('has announcements to send while they are leased', async () => {
    const { outbox, ...store } = await openWoken(database, ['1']);
    await recordNext(store, order, ['9104:1']);
    await outbox.lease(toDefault(announcementOf(1).id), 1_000_000);
    expect(await lookAt(store)).toEqual([keyOf('1')]);
  });

  it('sleeps until its record is to be fetched again, and is overdue from an age on after that', async () => {
    const { clock, ...store } = await openWoken(database, ['1']);
    await recordAs(store, order, { lookAgainAt: 50_000 });
    await observe(store, '1');
    expect(await lookAt({ ...store, clock })).toEqual([]);
    expect(await dueSteps(store)).toEqual({ [keyOf('1')]: 'idle' });
    clock.now = 50_999;
    await store.due.repair();
    expect((await store.due.takeChecks(1000, 10)).taken).toBe(0);
    clock.now = 51_000;
    expect((await store.due.takeChecks(1000, 10)).open).toEqual([keyOf('1')]);
  });

  it('is to be woken for new events while it sleeps', async () => {
    const { inbox, ...store } = await openWoken(database, ['1']);
    await recordAs(store, order, { lookAgainAt: 50_000 });
    await observe(store, '1');
    await lookAt(store);
    await inbox.add([entryOf('1', 2)]);
    expect(await takeKeys(store)).toEqual([keyOf('1')]);
  });

  it('may be made due to be looked at', async () => {
    const { due, ...store } = await openWoken(database, ['1']);
    await due.check(keyOf('1'));
    expect(await dueSteps(store)).toEqual({ [keyOf('1')]: 'recorded' });
    expect(await lookAt({ ...store, due })).toEqual([keyOf('1')]);
  });

  it('is done with if no version of Dockline follows it', async () => {
    const { inbox, ...store } = await openWith(database, []);
    await inbox.add([{ ...entryOf('a', 1), subjectKey: 'planet:9104:3' }]);
    expect(await takeKeys(store)).toEqual(['planet:9104:3']);
    await inbox.quarantineAll('planet:9104:3', { code: 'otherSubject' });
    expect(await lookAt(store)).toEqual([]);
    expect(await dueSteps(store)).toEqual({});
  });
});

describeOnPostgres('subjects that are due in several processes, on PostgreSQL', (database) => {
  const openTwo = async () => {
    const location = await database.locate();
    const clock = { now: 1_000 };
    const open = () => openIn(database, { location, now: () => clock.now });
    return { one: await open(), other: await open(), clock };
  };

  it('are each woken by one of them', async () => {
    const { one, other, clock } = await openTwo();
    await one.inbox.add(Array.from({ length: 300 }, (_, n) => entryOf(String(n), n)));
    clock.now += 1000;
    const taken: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      const pages = await Promise.all([one, other].map(({ due }) => due.takeWakes(5)));
      taken.push(...pages.flat().map(({ key }) => key));
    }
    expect(taken).toHaveLength(300);
    expect(new Set(taken).size).toBe(300);
  });

  it('are taken up to a limit, whatever plan the server chooses', async () => {
    const plans = ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'memoize'].map((name) => `enable_${name}`);
    const set = (to: string) =>
      // Plans without them are so expensive by estimate that the server would compile each, which takes longer than to run it.
      [...plans, 'jit']
        .map((name) => `alter database ${new URL(database.url).pathname.slice(1)} set ${name} = ${to}`)
        .join(';');
    await command(database.url, set('off'));
    onTestFinished(() => command(database.url, set('on')));
    const { one, clock } = await openTwo();
    await one.inbox.add(Array.from({ length: 200 }, (_, n) => entryOf(String(n), n)));
    await sql`analyze due`.execute(one.db);
    clock.now += 1000;
    expect(await one.due.takeWakes(10)).toHaveLength(10);
  });

  it('are skipped while another process has them', async () => {
    const { one, other, clock } = await openTwo();
    await one.inbox.add([entryOf('a', 1), entryOf('b', 2)]);
    await one.due.takeWakes(2);
    clock.now += 1000;
    const held = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    const taking = one.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('due').set({ at: clock.now }).where('subject_key', '=', keyOf('a')).execute();
      taken.resolve();
      await held.promise;
    });
    await taken.promise;
    expect((await other.due.takeChecks(1000, 10)).open).toEqual([keyOf('b')]);
    held.resolve();
    await taking;
    expect((await other.due.takeChecks(1000, 10)).open).toEqual([]);
  });

  it('do not keep deliveries of the same subjects from each other, in any order', async () => {
    const { one, other } = await openTwo();
    const ids = Array.from({ length: 700 }, (_, n) => String(n));
    for (let round = 0; round < 5; round += 1) {
      const from = round * 10_000;
      await Promise.all([
        one.inbox.add(ids.map((id, n) => entryOf(id, from + n))),
        other.inbox.add(ids.toReversed().map((id, n) => entryOf(id, from + 5000 + n))),
      ]);
    }
    expect(one.inbox.waiting() + other.inbox.waiting()).toBeGreaterThan(0);
    expect(Object.keys(await dueSteps(one))).toHaveLength(700);
  });

  it('are found by indexes, however many there are', async () => {
    const { one } = await openTwo();
    await sql`truncate due`.execute(one.db);
    await sql`insert into due select 'order:9104:' || n, case when n % 1000 = 0 then 'wake' else 'woken' end, n, 0
      from generate_series(1, 40000) n`.execute(one.db);
    await sql`analyze due`.execute(one.db);
    const { rows } = await sql<Record<string, string>>`explain (costs off)
      select subject_key from due where step = 'wake' and at <= 50 order by at limit 16`.execute(one.db);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('using due_wake on due');
  });
});
