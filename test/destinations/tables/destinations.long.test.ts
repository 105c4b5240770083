import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/app/store.ts';
import { COUNTED } from '../../../src/store/bounded-count.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { recordAs, takeKeys } from '../../store/recordings.ts';
import { announcementOf, lifecycleAt, order, toDefault } from '../../support/make.ts';

const ref = { tenant: '9104', id: 'default', name: 'default' };

describeOnBoth('a paused destination', (database) => {
  it('is sent nothing, ages nothing, and delays no other', async () => {
    const clock = { now: 1_000 };
    const store = await openIn(database, { now: () => clock.now });
    const [first] = [announcementOf(1)];
    await recordAs(store, order, { announcements: [{ ...first, destinations: ['default', 'erp'] }] });
    await store.destinations.pause(ref, 'paused by ada');
    await store.destinations.pause(ref, 'paused by bob');
    expect(await store.outbox.lease(toDefault(first.id), 100)).toBe('held');
    expect(await store.outbox.lease({ id: first.id, destination: 'erp' }, 100)).toMatchObject({ id: first.id });
    expect(await store.subjects.unsent(order)).toEqual({ erp: [first.id] });
    clock.now = 9_000;
    const { leases } = await recordAs(store, order, {
      lifecycle: lifecycleAt(2),
      announcements: [announcementOf(2)],
    });
    expect(leases).toEqual([]);
    await store.outbox.sent({ id: first.id, destination: 'erp' }, { status: 204, ms: 1 });
    clock.now = 20_000;
    expect((await store.due.takeChecks(1_000, 10)).open, 'nothing is left to do now').toEqual([]);

    await store.destinations.resume(ref);
    expect(await store.destinations.wakeResumed()).toBe(true);
    expect(await store.destinations.wakeResumed()).toBe(false);
    expect(await takeKeys(store)).toEqual(['order:9104:1']);
    expect(await store.subjects.unsent(order)).toEqual({ default: [first.id, announcementOf(2).id] });
    expect(await store.outbox.lease(toDefault(first.id), 100)).toMatchObject({ triedSince: 20_000, previous: null });
    expect(await store.destinations.wakeResumed()).toBe(false);
  });

  it('wakes every subject once it is resumed, step by step, whatever stops in between', async () => {
    const store = await openIn(database);
    const ids = Array.from({ length: 1_203 }, (_, n) => String(n + 1));
    await store.destinations.pause(ref, 'paused by ada');
    await holdUnsent(store, ids.length);
    await store.destinations.resume(ref);
    let steps = 0;
    while (await store.destinations.wakeResumed()) steps += 1;
    expect(steps).toBe(3);
    const due = await store.db.selectFrom('due').select('subject_key').where('step', '=', 'wake').execute();
    expect(new Set(due.map(({ subject_key }) => subject_key))).toEqual(new Set(ids.map((id) => `order:9104:${id}`)));
  });
});

describeOnBoth('a destination that accepts again', (database) => {
  it.each([
    ['after an outage is sent at once what waits', 61_000, ['order:9104:1']],
    ['after one failure is not', 59_000, []],
  ])('%s', async (_, lastedMs, woken) => {
    const clock = { now: 1_000 };
    const store = await openIn(database, { now: () => clock.now });
    await recordAs(store, order, { announcements: [announcementOf(1)] });
    await store.due.takeChecks(0, 10);
    await store.destinations.failed(ref, '503');
    clock.now += lastedMs;
    await store.destinations.failed(ref, '503');
    await store.destinations.succeeded(ref);
    while (await store.destinations.wakeResumed());
    expect(await takeKeys(store)).toEqual(woken);
  });
});

describeOnBoth('a destination that is removed', (database) => {
  it('has what it is still to get counted up to a limit', async () => {
    const store = await openIn(database);
    await holdUnsent(store, COUNTED + 1);
    expect(await store.destinations.countUnsent(ref)).toBe(COUNTED);
    expect(await store.destinations.countUnsent({ ...ref, id: 'erp' })).toBe(0);
  });
});

/** Leaves an announcement unsent of each of so many orders, whose ids begin with 1. */
async function holdUnsent({ db }: Pick<Store, 'db'>, orders: number): Promise<void> {
  await sql`insert into outbox (announcement, destination, tenant, kind, subject_id, revision, created_at, tried_since)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${orders})
    select 'order:9104:' || n || '/1/created', 'default', '9104', 'order', cast(n as text), 1, 1, 1 from numbers`.execute(
    db,
  );
}
