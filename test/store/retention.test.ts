import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import type { Store } from '../../src/app/store.ts';
import { findBody } from '../../src/inbox/tables/quarantined.ts';
import { createRetention, purgeable, selectOld } from '../../src/store/retention.ts';
import { announcementOf, entryOf, lifecycleAt, order, quarantinedEntry, toDefault } from '../support/make.ts';
import { describeOnBoth, describeOnPostgres, openIn } from './databases.ts';
import { observe, recordAs, waitingKeys } from './recordings.ts';
import { openTemporaryStore, temporaryFile } from './temporary-store.ts';

const DAY = 86_400_000;
const ages = {
  bodies: 7 * DAY,
  events: 14 * DAY,
  keys: 30 * DAY,
  quarantined: 90 * DAY,
  announcements: 30 * DAY,
  resources: 30 * DAY,
  audit: 365 * DAY,
  notes: 365 * DAY,
  bulk: 365 * DAY,
};
const none = Object.fromEntries(purgeable.map((what) => [what, 0]));

function retentionOf(
  store: Pick<Store, 'purge'>,
  now: () => number | Promise<number>,
  rest: { readonly everyMs?: number } = {},
) {
  const lines: string[] = [];
  const log = (_: object, message: string) => void lines.push(message);
  const retention = createRetention({
    purge: store.purge,
    logger: { info: log, warn: log },
    ages,
    now,
    pauseMs: 0,
    ...rest,
  });
  onTestFinished(() => retention.close());
  return { ...retention, lines };
}

describeOnBoth('the retention', (database) => {
  /** Opens a store with a clock of whole days. */
  async function openAtDayZero() {
    let time = 0;
    const store = await openIn(database, { now: () => time });
    const setDay = (day: number) => {
      time = day * DAY;
    };
    return { store, setDay, ...retentionOf(store, () => time) };
  }

  it('purges a delivery step by step: its body, its event, and finally its dedupe key', async () => {
    const { store, setDay, purgeAll } = await openAtDayZero();
    const body = Buffer.alloc(1000, ' ');
    await store.inbox.add([{ ...entryOf('a', 1), body }]);
    await observe(store, 'a');
    const row = () => store.db.selectFrom('inbox').select(['event_id', 'event', 'subject_key']).executeTakeFirst();

    setDay(7);
    expect(await purgeAll()).toEqual(none);
    expect(await findBody(store.db, '9104:1')).toBeDefined();
    setDay(8);
    expect(await purgeAll()).toEqual({ ...none, bodies: 1 });
    expect(await findBody(store.db, '9104:1')).toBeUndefined();
    expect(await row()).toMatchObject({ subject_key: 'order:9104:a' });
    setDay(15);
    expect(await purgeAll()).toEqual({ ...none, events: 1 });
    expect(await row()).toEqual({ event_id: '9104:1', event: null, subject_key: null });
    setDay(30);
    expect(await purgeAll()).toEqual(none);
    expect(await store.inbox.add([entryOf('a', 1)])).toEqual([false]);
    setDay(31);
    expect(await purgeAll()).toEqual({ ...none, keys: 1 });
    expect(await store.inbox.add([entryOf('a', 1)])).toEqual([true]);
  });

  it('keeps unobserved events, however old they are and however long ago their workflow was woken', async () => {
    const { store, setDay, purgeAll } = await openAtDayZero();
    await store.inbox.add([entryOf('a', 1), entryOf('b', 2)]);
    await store.due.takeWakes(1);
    setDay(1000);
    expect(await purgeAll()).toEqual(none);
    expect(await waitingKeys(store)).toHaveLength(2);
    expect(await findBody(store.db, '9104:1')).toBeDefined();
  });

  it('counts the age of a delivery from its observation, not its receipt', async () => {
    const { store, setDay, purgeAll } = await openAtDayZero();
    await store.inbox.add([entryOf('a', 1)]);
    setDay(1000);
    await observe(store, 'a');
    setDay(1007);
    expect(await purgeAll()).toEqual(none);
    setDay(1008);
    expect(await purgeAll()).toEqual({ ...none, bodies: 1 });
  });

  it('keeps quarantined deliveries for an age of their own', async () => {
    const { store, setDay, purgeAll } = await openAtDayZero();
    await store.inbox.add([quarantinedEntry('p'), { ...quarantinedEntry('late'), receivedAt: 50 * DAY }]);
    setDay(89);
    expect(await purgeAll()).toEqual(none);
    setDay(91);
    expect(await purgeAll()).toEqual({ ...none, quarantined: 1 });
    expect(await createSummary(store).quarantined()).toMatchObject([{ count: 1 }]);
  });

  it('purges resources by the age of their retrieval', async () => {
    const { store, setDay, purgeAll } = await openAtDayZero();
    await store.resources.put('9104', 'order', 'a', '{}');
    await store.resources.put('9104', 'user', 'a', '{}');
    setDay(20);
    await store.resources.put('9104', 'user', 'a', '{}');
    setDay(31);
    expect(await purgeAll()).toEqual({ ...none, resources: 1 });
    expect(await store.resources.find('9104', 'order', 'a')).toBeUndefined();
    expect(await store.resources.find('9104', 'user', 'a')).toBeDefined();
  });

  const actor = { token: 'lead', operator: null };

  it.each<[what: 'audit' | 'notes', column: string, add: (store: Store, text: string) => Promise<unknown>]>([
    [
      'audit',
      'target',
      ({ audit }, id) => audit.begin({ action: 'reprocess', target: { type: 'delivery', id }, actor }),
    ],
    ['notes', 'text', ({ notes }, text) => notes.add(order, text, actor)],
  ])('purges %s by the age of their entries', async (what, column, add) => {
    const { store, setDay, purgeAll } = await openAtDayZero();
    await add(store, 'older');
    setDay(300);
    await add(store, 'newer');
    expect(await purgeAll()).toEqual(none);
    setDay(366);
    expect(await purgeAll()).toEqual({ ...none, [what]: 1 });
    expect(await store.db.selectFrom(what).selectAll().execute()).toMatchObject([{ [column]: 'newer' }]);
  });

  it('purges bulk actions by the age of their end', async () => {
    const { store, setDay, purgeAll } = await openAtDayZero();
    const begin = async () => {
      const at = { created_at: store.now(), expires_at: store.now() + 1 };
      const named = { action: 'refresh', filter: '{}', total: 1, sample: '[]' } as const;
      const id = await store.bulk.create({ ...named, ...at, created_by: 'lead', token: 'lead' });
      await store.bulk.confirm(id, actor);
      return id;
    };
    const over = await begin();
    const running = await begin();
    await store.bulk.cancel(over, actor);
    setDay(366);
    expect(await purgeAll()).toMatchObject({ bulk: 1 });
    expect(await store.bulk.take()).toMatchObject([{ id: running }]);
    expect(await store.db.selectFrom('bulk_actions').select('id').execute()).toHaveLength(1);
  });

  it('purges the bodies of announcements by the age of their acknowledgment, which are never sent again', async () => {
    const { store, setDay, purgeAll } = await openAtDayZero();
    const announcements = [1, 2, 3, 4].map((revision) => announcementOf(revision));
    await recordAs(store, order, { lifecycle: lifecycleAt(4), announcements });
    const [sent, unsent, deadLettered, late] = announcements.map(({ id }) => id) as [string, string, string, string];
    await store.outbox.sent(toDefault(sent), { status: 200, ms: 1 });
    await store.outbox.deadLetter(toDefault(deadLettered), 'answered 410');
    setDay(20);
    await store.outbox.sent(toDefault(late), { status: 200, ms: 1 });
    setDay(31);
    expect(await purgeAll()).toEqual({ ...none, announcements: 1 });
    expect(await purgeAll()).toEqual(none);
    expect(await store.outbox.lease(toDefault(sent), 1)).toBeUndefined();
    expect(await store.outbox.lease(toDefault(unsent), 1)).toMatchObject({ body: announcements[1]?.body });
    const bodies = async () => {
      const rows = await store.db.selectFrom('announcements').select('body').orderBy('revision').execute();
      return rows.map(({ body }) => Buffer.from(body).toString());
    };
    expect(await bodies()).toEqual(['', '{"n":2}', '{"n":3}', '{"n":4}']);
    setDay(51);
    expect(await purgeAll()).toEqual({ ...none, announcements: 1 });
    expect(await bodies()).toEqual(['', '{"n":2}', '{"n":3}', '']);
  });

  it('purges thousands of rows in small statements, oldest first', async () => {
    const { store, setDay } = await openAtDayZero();
    await store.inbox.add(Array.from({ length: 1000 }, (_, n) => entryOf('a', n)));
    await observe(store, 'a', 500);
    setDay(1);
    await observe(store, 'a', 500);
    const sizes: number[] = [];
    const purge: Store['purge'] = async (...call) => {
      const count = await store.purge(...call);
      sizes.push(count);
      return count;
    };
    setDay(9);
    expect(await store.purge('bodies', 3 * DAY, 500)).toBe(500);
    expect(await findBody(store.db, '9104:499')).toBeUndefined();
    expect(await findBody(store.db, '9104:500')).toBeDefined();
    expect(await retentionOf({ purge }, () => 9 * DAY).purgeAll()).toEqual({ ...none, bodies: 500 });
    expect(Math.max(...sizes)).toBe(200);
  });

  it('finds old rows by indexes, however many are retained', async () => {
    const { store } = await openAtDayZero();
    for (let n = 0; n < 10; n += 1)
      await store.inbox.add(Array.from({ length: 500 }, (_, m) => entryOf('a', n * 500 + m)));
    await observe(store, 'a', 4000);
    await sql`update inbox set retained = 'key', body = ${new Uint8Array()} where id > 50`.execute(store.db);
    await sql`analyze`.execute(store.db);
    const planOf = async (query: ReturnType<typeof sql>) => {
      const explain = database.name === 'SQLite' ? sql`explain query plan ${query}` : sql`explain ${query}`;
      return JSON.stringify((await explain.execute(store.db)).rows);
    };
    expect(await planOf(sql`${selectOld('bodies', 5)} limit 9`)).toContain('inbox_retained');
    if (database.name === 'SQLite')
      expect(await planOf(sql`${selectOld('announcements', 5)} limit 9`)).toContain('announcements_whole');
  });

  it('purges by itself, and recovers after an outage of the store', async () => {
    const { store, setDay } = await openAtDayZero();
    await store.inbox.add([entryOf('a', 1), entryOf('b', 2)]);
    await observe(store, 'a');
    setDay(8);
    const retention = retentionOf(store, () => 8 * DAY, { everyMs: 5 });
    const allow = await database.refuseWrites(store);
    retention.start();
    if (database.name === 'PostgreSQL')
      await expect.poll(() => retention.lines).toContain('cannot purge data past its retention; retrying later');
    await allow();
    await expect.poll(() => findBody(store.db, '9104:1')).toBeUndefined();
    expect(await findBody(store.db, '9104:2')).toBeDefined();
  });
});

describeOnPostgres('a process whose clock is ahead, on PostgreSQL', (database) => {
  it('purges by the clock of the database', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('a', 1)]);
    await observe(store, 'a');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * DAY });
    onTestFinished(() => void vi.useRealTimers());
    expect(await retentionOf(store, store.time).purgeAll()).toEqual(none);
  });
});

describeOnPostgres('the retention of several processes', (database) => {
  it('shares the work without waiting or failing', async () => {
    const location = await database.locate();
    const stores = await Promise.all([1, 2, 3].map(() => openIn(database, { location, now: () => 0 })));
    const inbox = stores[0]?.inbox as Store['inbox'];
    for (let n = 0; n < 4; n += 1) await inbox.add(Array.from({ length: 500 }, (_, m) => entryOf('a', n * 500 + m)));
    await observe(stores[0] as Store, 'a', 2000);
    const purges = await Promise.all(stores.map((store) => retentionOf(store, () => 8 * DAY).purgeAll()));
    const last = await retentionOf(stores[0] as Store, () => 8 * DAY).purgeAll();
    expect([...purges, last].reduce((sum, { bodies = 0 }) => sum + bodies, 0)).toBe(2000);
  });
});

describe('a SQLite file', () => {
  it('shrinks after deletions', async () => {
    const file = temporaryFile();
    const store = await openTemporaryStore({ file, now: () => 0 });
    const body = Buffer.alloc(20_000, 'x');
    await store.inbox.add(Array.from({ length: 200 }, (_, n) => ({ ...entryOf('a', n), body })));
    await observe(store, 'a');
    await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
    const before = statSync(file).size;
    await retentionOf(store, () => 8 * DAY).purgeAll();
    await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
    expect(before).toBeGreaterThan(4_000_000);
    expect(statSync(file).size).toBeLessThan(1_500_000);
  });
});
