import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { strandedPage } from '../../../src/store/tables/dispatches.ts';
import { command } from '../../faults/fixture/database.ts';
import { entryOf, quarantinedEntry } from '../../inbox/entries.ts';
import { describeOnAll, describeOnPostgres, openIn, type TestDatabase } from '../databases.ts';
import { observe } from '../recordings.ts';

const keyOf = (orderId: string) => `order:9104:${orderId}`;

/** Opens a store with a manual clock and one event of each order. */
async function openWith(database: TestDatabase, orderIds: readonly string[]) {
  const clock = { now: 1_000 };
  const store = await openIn(database, { now: () => clock.now });
  await store.inbox.add(orderIds.map((id, index) => entryOf(id, index + 1)));
  return { ...store, clock };
}

/** Page of all rows. */
const whole = { after: 0, upTo: 100_000, limit: 100 };

const claimsIn = async ({ db }: Pick<Store, 'db'>) =>
  (await db.selectFrom('dispatches').select('subject_key').orderBy('subject_key').execute()).map(
    ({ subject_key }) => subject_key,
  );

describeOnAll('a claim', (database) => {
  it('returns the names of waiting events, oldest first', async () => {
    const { inbox } = await openIn(database);
    await inbox.add([entryOf('a', 3, 'OrderCreate'), entryOf('b', 9), entryOf('a', 1, 'OrderConfirm')]);
    expect(await inbox.claim(keyOf('a'))).toEqual(['OrderCreate', 'OrderConfirm']);
  });

  it('returns at most twenty names', async () => {
    const { inbox } = await openIn(database);
    await inbox.add(Array.from({ length: 30 }, (_, n) => entryOf('a', n, `Event${n}`)));
    expect(await inbox.claim(keyOf('a'))).toEqual(Array.from({ length: 20 }, (_, n) => `Event${n}`));
  });

  it('returns a placeholder for an event without a readable name', async () => {
    const { inbox, db } = await openWith(database, ['a']);
    for (const event of ['{"half', '{}', 'null', '{"name":7}']) {
      await db.updateTable('inbox').set({ event }).execute();
      await inbox.abandon(keyOf('a'));
      expect(await inbox.claim(keyOf('a'))).toEqual(['unreadable']);
    }
  });

  it('is refused if no event waits', async () => {
    const store = await openWith(database, ['observed', 'quarantined']);
    await observe(store, 'observed');
    await store.inbox.quarantine(['9104:2'], 'cannot be recorded: because');
    await store.inbox.add([quarantinedEntry('p')]);
    for (const id of ['observed', 'quarantined', 'unknown']) expect(await store.inbox.claim(keyOf(id))).toBeUndefined();
    expect(await claimsIn(store)).toEqual([]);
  });

  it('lasts until its subject is recorded, whatever arrives meanwhile', async () => {
    const { inbox, ...store } = await openWith(database, ['a', 'b']);
    expect(await inbox.claim(keyOf('a'))).toHaveLength(1);
    await inbox.add([entryOf('a', 10)]);
    expect(await inbox.claim(keyOf('a'))).toBeUndefined();
    expect(await inbox.claim(keyOf('b'))).toHaveLength(1);
    await observe(store, 'a');
    await inbox.add([entryOf('a', 11, 'OrderConfirm')]);
    expect(await inbox.claim(keyOf('a'))).toEqual(['OrderConfirm']);
  });

  it('is granted to one of several concurrent callers', async () => {
    const { inbox } = await openWith(database, ['a']);
    const begun = await Promise.all(Array.from({ length: 10 }, () => inbox.claim(keyOf('a'))));
    expect(begun.filter(Boolean)).toEqual([['OrderUpdate']]);
  });

  it('can be made again after it was abandoned', async () => {
    const { inbox } = await openWith(database, ['a', 'b']);
    for (const id of ['a', 'b']) await inbox.claim(keyOf(id));
    await inbox.abandon(keyOf('a'));
    expect(await inbox.claim(keyOf('a'))).toEqual(['OrderUpdate']);
    expect(await inbox.claim(keyOf('b'))).toBeUndefined();
  });

  it('is overdue from a given age, and is renewed then', async () => {
    const { inbox, clock } = await openWith(database, ['a', 'b']);
    await inbox.claim(keyOf('a'));
    clock.now += 100;
    await inbox.claim(keyOf('b'));
    clock.now += 899;
    expect(await inbox.overdue(1000, 10)).toEqual([]);
    clock.now += 1;
    expect(await inbox.overdue(1000, 10)).toEqual([keyOf('a')]);
    expect(await inbox.overdue(1000, 10)).toEqual([]);
    clock.now += 1000;
    expect((await inbox.overdue(1000, 10)).toSorted()).toEqual([keyOf('a'), keyOf('b')]);
  });

  it('that was made while the clock was ahead is overdue from a given age after that', async () => {
    const { inbox, clock } = await openWith(database, ['a']);
    clock.now = 7_200_000;
    await inbox.claim(keyOf('a'));
    clock.now = 2_000;
    expect(await inbox.overdue(1000, 10)).toEqual([]);
    clock.now = 3_000;
    expect(await inbox.overdue(1000, 10)).toEqual([keyOf('a')]);
  });

  it('is not overdue once its subject is recorded', async () => {
    const { inbox, clock, ...store } = await openWith(database, ['a']);
    await inbox.claim(keyOf('a'));
    await observe(store, 'a');
    clock.now += 1_000_000;
    expect(await inbox.overdue(0, 10)).toEqual([]);
  });

  it('is found overdue among many others, oldest first, up to a limit', async () => {
    const { inbox, db, clock } = await openWith(database, []);
    const keys = Array.from({ length: 2000 }, (_, n) => keyOf(String(n + 10_000)));
    await db
      .insertInto('dispatches')
      .values(keys.map((subject_key, index) => ({ subject_key, dispatched_at: index })))
      .execute();
    await sql`analyze`.execute(db);
    clock.now = 100_000;
    for (const from of [0, 50, 100])
      expect((await inbox.overdue(1000, 50)).toSorted()).toEqual(keys.slice(from, from + 50));
  });
});

describeOnAll('a process that starts', (database) => {
  it('resets claims on SQLite, which it has to itself, and not on PostgreSQL', async () => {
    const { inbox, ...store } = await openWith(database, ['a', 'b']);
    for (const id of ['a', 'b']) await inbox.claim(keyOf(id));
    await inbox.resetClaims();
    expect(await claimsIn(store)).toEqual(database.name === 'SQLite' ? [] : [keyOf('a'), keyOf('b')]);
  });

  it('finds stranded subjects on PostgreSQL only', async () => {
    const { inbox } = await openWith(database, ['a']);
    const keys = database.name === 'SQLite' ? [] : [keyOf('a')];
    expect(await inbox.stranded({ ...whole, ageMs: 0 })).toEqual({ keys, next: 0 });
  });
});

describeOnPostgres('claims of several processes, on PostgreSQL', (database) => {
  const openTwo = async () => {
    const location = await database.locate();
    const clock = { now: 1_000 };
    const open = () => openIn(database, { location, now: () => clock.now });
    return { one: await open(), other: await open(), clock };
  };

  it('are granted to one of them', async () => {
    const { one, other } = await openTwo();
    const ids = Array.from({ length: 50 }, (_, n) => String(n));
    await one.inbox.add(ids.map((id, n) => entryOf(id, n)));
    // One pair at a time: all at once would take every connection of both, and half of what a server has for all tests.
    for (const id of ids) {
      const begun = await Promise.all([one, other].map(({ inbox }) => inbox.claim(keyOf(id))));
      expect(begun.filter(Boolean)).toHaveLength(1);
    }
  });

  it('are each overdue in one of them', async () => {
    const { one, other, clock } = await openTwo();
    const keys = Array.from({ length: 500 }, (_, n) => keyOf(String(n)));
    const row = (subject_key: string) => ({ subject_key, dispatched_at: 0 });
    await one.db.insertInto('dispatches').values(keys.map(row)).execute();
    const patrol = async ({ inbox }: Store) => {
      const found: string[] = [];
      for (let page = await inbox.overdue(100, 20); page.length > 0; page = await inbox.overdue(100, 20))
        found.push(...page);
      return found;
    };
    clock.now = 500;
    const found = (await Promise.all([one, other, one, other].map(patrol))).flat();
    // A page that another process locks is skipped, which may look like the end.
    found.push(...(await patrol(one)));
    expect(found.toSorted()).toEqual(keys.toSorted());
  });

  it('are overdue up to a limit, whatever plan the server chooses', async () => {
    const slow = ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'memoize'];
    const set = (to: string) =>
      slow
        .map((name) => `alter database ${new URL(database.url).pathname.slice(1)} set enable_${name} = ${to}`)
        .join(';');
    await command(database.url, set('off'));
    onTestFinished(() => command(database.url, set('on')));
    const { one } = await openTwo();
    const row = (_: unknown, n: number) => ({ subject_key: keyOf(String(n)), dispatched_at: n });
    await one.db
      .insertInto('dispatches')
      .values(Array.from({ length: 200 }, row))
      .execute();
    await sql`analyze dispatches`.execute(one.db);
    expect(await one.inbox.overdue(0, 10)).toHaveLength(10);
  });

  it('are skipped while another process locks them', async () => {
    const { one, other, clock } = await openTwo();
    await one.inbox.add([entryOf('a', 1), entryOf('b', 2)]);
    for (const id of ['a', 'b']) await one.inbox.claim(keyOf(id));
    clock.now += 1000;
    const held = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    const taking = one.db.transaction().execute(async (transaction) => {
      const mine = transaction.updateTable('dispatches').set({ dispatched_at: clock.now });
      await mine.where('subject_key', '=', keyOf('a')).execute();
      taken.resolve();
      await held.promise;
    });
    await taken.promise;
    expect(await other.inbox.overdue(1000, 10)).toEqual([keyOf('b')]);
    held.resolve();
    await taking;
    expect(await other.inbox.overdue(1000, 10)).toEqual([]);
  });

  it('are missing for a stranded subject, whose events have waited from a given age', async () => {
    const { one, clock } = await openTwo();
    await one.inbox.add(['a', 'a', 'b', 'c', 'd'].map((id, index) => entryOf(id, 100 + index)));
    await one.inbox.claim(keyOf('b'));
    await observe(one, 'c');
    await one.inbox.quarantine(['9104:104'], 'cannot be recorded: because');
    clock.now = 1099;
    expect((await one.inbox.stranded({ ...whole, ageMs: 1000 })).keys).toEqual([]);
    clock.now = 5000;
    expect((await one.inbox.stranded({ ...whole, ageMs: 1000 })).keys).toEqual([keyOf('a')]);
    await one.inbox.abandon(keyOf('b'));
    clock.now = 50;
    expect((await one.inbox.stranded({ ...whole, ageMs: 1000 })).keys, 'the clock was ahead').toHaveLength(2);
    clock.now = 5000;
    expect((await one.inbox.stranded({ ...whole, ageMs: 1000 })).keys.toSorted()).toEqual([keyOf('a'), keyOf('b')]);
  });

  it('are searched for page by page, up to an id', async () => {
    const { one, clock } = await openTwo();
    await one.inbox.add(Array.from({ length: 6 }, (_, n) => entryOf(String(n + 1), n + 1)));
    await one.inbox.claim(keyOf('3'));
    clock.now = 5000;
    const page = (after: number) => one.inbox.stranded({ ageMs: 1000, after, upTo: 5, limit: 2 });
    expect(await page(0)).toEqual({ keys: [keyOf('1'), keyOf('2')], next: 2 });
    expect(await page(2)).toEqual({ keys: [keyOf('4')], next: 4 });
    expect(await page(4)).toEqual({ keys: [keyOf('5')], next: 0 });
  });

  it('are searched for by indexes that read one page of rows, however many wait', async () => {
    const { one } = await openTwo();
    // What earlier tests deleted keeps this index large until a vacuum, so that the one of all rows would be cheaper.
    await sql`truncate inbox, dispatches`.execute(one.db);
    await sql`insert into inbox (event_id, endpoint, tenant, subject_key, event, received_at, observed_at, body)
      select n, 'warehouse', '9104', 'order:9104:' || n, '{}', 1, case when n % 20 > 0 then 1 end, ''
      from generate_series(1, 40000) n`.execute(one.db);
    await sql`insert into dispatches select subject_key, 1 from inbox where id % 200 > 0`.execute(one.db);
    await sql`analyze`.execute(one.db);
    const page = { after: 10_000, upTo: 35_000, limit: 100 };
    const rows = await strandedPage(one.db, { ...page, receivedBy: 5, now: 10 }).explain<Record<string, string>>(
      undefined,
      sql`analyze, costs off, timing off`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Scan using inbox_waiting on inbox (actual rows=100 loops=1)');
    expect(plan).toContain('Index Scan using dispatches_pkey on dispatches (actual rows=1 loops=100)');
    expect(plan).not.toContain('Seq Scan');
    const { keys } = await one.inbox.stranded({ ...page, ageMs: 500 });
    expect(keys).toHaveLength(10);
  });
});
