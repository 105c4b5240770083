import { type RawBuilder, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { createDeadLetters } from '../../src/store/tables/dead-letters.ts';
import { command } from '../faults/fixture/database.ts';
import { entryOf } from '../inbox/entries.ts';
import { describeOnPostgres, openIn, waitingForLocks } from './databases.ts';
import { announcementOf, decisionOf, lifecycleAt, order, recordNext } from './recordings.ts';

const key = 'order:9104:1';

describeOnPostgres('concurrent recording by several processes, on PostgreSQL', (database) => {
  async function openTwo(): Promise<{ readonly one: Store; readonly other: Store }> {
    const location = await database.locate();
    return { one: await openIn(database, { location }), other: await openIn(database, { location }) };
  }

  it('yields one gapless sequence per subject', async () => {
    const { one, other } = await openTwo();
    const ids = ['1', '2', '3'];
    // In rounds, which leave connections for the tests beside.
    for (let round = 0; round < 10; round += 1)
      await Promise.all(
        [one, other, one, other].flatMap((store) => ids.map((id) => recordNext(store, { ...order, id }, []))),
      );
    for (const id of ids)
      expect(await one.subjects.unsent({ ...order, id })).toEqual(
        Array.from({ length: 40 }, (_, n) => announcementOf(n + 1, { ...order, id }).id),
      );
  });

  it('observes an event once, and the second process decides from the result of the first', async () => {
    const { one, other } = await openTwo();
    await one.inbox.add([entryOf('1', 1)]);
    const outcomes = await Promise.all(
      [one, other].map((store) =>
        store.subjects.record(order, ['9104:1'], async ({ saved, events }) => {
          // The first waits until the second blocks.
          if (!saved) await expect.poll(() => waitingForLocks(one.db)).toBe(1);
          return { ...decisionOf(), events: events.length, revision: saved?.lifecycle.revision ?? 0 };
        }),
      ),
    );
    const seen = outcomes.map(({ decision: { events, revision } }) => ({ events, revision }));
    expect(seen.toSorted((a, b) => a.revision - b.revision)).toEqual([
      { events: 1, revision: 0 },
      { events: 0, revision: 1 },
    ]);
    expect(await one.inbox.waitingAfter(0, 10)).toEqual([]);
  });

  it('does not block other subjects', async () => {
    const { one, other } = await openTwo();
    await one.subjects.record(order, [], async () => {
      await recordNext(other, { ...order, id: '2' }, []);
      return decisionOf();
    });
    expect(await one.subjects.unsent({ ...order, id: '2' })).toHaveLength(1);
  });

  it('sees events that arrive before it settles, and keeps its claim', async () => {
    const { one, other } = await openTwo();
    await one.inbox.add([entryOf('1', 1)]);
    await one.inbox.claim(key);
    const { waiting } = await one.subjects.record(order, ['9104:1'], async () => {
      await other.inbox.add([entryOf('1', 2, 'OrderConfirm')]);
      expect(await other.inbox.claim(key)).toBeUndefined();
      return decisionOf();
    });
    expect(waiting).toEqual(['OrderConfirm']);
    expect(await other.inbox.claim(key)).toBeUndefined();
  });

  it('sees an event that arrives just before it ends its claim', async () => {
    const { other, release, recording } = await recordHeld(sql`create trigger held before delete on dispatches`);
    expect(await other.inbox.claim(key)).toBeUndefined();
    await release();
    expect((await recording).waiting).toEqual(['OrderConfirm']);
  });

  it('lets an event that arrives between settling and commit be claimed', async () => {
    const { other, release, recording } = await recordHeld(atCommit);
    const beginning = other.inbox.claim(key);
    await expect.poll(() => waitingForLocks(other.db)).toBe(2);
    await release();
    expect((await recording).waiting).toEqual([]);
    expect(await beginning).toContain('OrderConfirm');
  });

  it('lets a dispatcher find an event from that moment later', async () => {
    const { other, release, recording } = await recordHeld(atCommit);
    await release();
    expect((await recording).waiting).toEqual([]);
    expect((await other.inbox.stranded({ ageMs: 0, after: 0, upTo: 10, limit: 10 })).keys).toEqual([key]);
    expect(await other.inbox.claim(key)).toEqual(['OrderConfirm']);
  });

  it('leaves no event without a claim, however it interleaves with a dispatcher', async () => {
    const { one, other } = await openTwo();
    for (let round = 0; round < 100; round += 1) {
      const subject = { ...order, id: `r${round}` };
      const roundKey = `order:9104:r${round}`;
      await one.inbox.add([entryOf(subject.id, 2 * round)]);
      await one.inbox.claim(roundKey);
      const [{ waiting }, begun] = await Promise.all([
        recordNext(one, subject, [`9104:${2 * round}`]),
        other.inbox.add([entryOf(subject.id, 2 * round + 1, 'OrderConfirm')]).then(() => other.inbox.claim(roundKey)),
      ]);
      expect([waiting, begun ?? []].filter((names) => names.includes('OrderConfirm'))).toHaveLength(1);
    }
  });

  it.each(['dead-lettered', 'requeued'])('keeps the mark of an announcement that is %s meanwhile', async (what) => {
    const { one, other } = await openTwo();
    const { id } = announcementOf(1);
    await recordNext(one, order, []);
    if (what === 'requeued') await other.outbox.deadLetter(id, 'answered 410');
    let changing: Promise<void> = Promise.resolve();
    let isChanged = false;
    await one.subjects.record(order, [], async ({ saved }) => {
      const lists = createDeadLetters(other);
      changing = (what === 'dead-lettered' ? other.outbox.deadLetter(id, 'answered 410') : lists.requeue([id])).then(
        () => {
          isChanged = true;
        },
      );
      await expect.poll(async () => isChanged || (await waitingForLocks(other.db)) > 0).toBe(true);
      return decisionOf({ ...saved, lifecycle: lifecycleAt(2) });
    });
    await changing;
    const { saved } = await one.subjects.load(order, 0);
    expect(saved).toMatchObject({ isUnannounced: what === 'dead-lettered', lifecycle: { revision: 2 } });
  });

  const atCommit = sql`create constraint trigger held after delete on dispatches deferrable initially deferred`;

  /** Records an event of a claimed order up to the trigger, where another event arrives. */
  async function recordHeld(trigger: RawBuilder<unknown>) {
    const { one, other } = await openTwo();
    await one.inbox.add([entryOf('1', 1)]);
    await one.inbox.claim(key);
    const release = await hold(one, trigger);
    const recording = recordNext(one, order, ['9104:1']);
    await expect.poll(() => waitingForLocks(other.db)).toBe(1);
    await other.inbox.add([entryOf('1', 2, 'OrderConfirm')]);
    return { other, release, recording };
  }

  /** Blocks the end of a claim at the trigger until it is released. */
  async function hold({ db }: Store, trigger: RawBuilder<unknown>): Promise<() => Promise<void>> {
    await sql`create function wait_for_lock() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(4711); return old; end $$`.execute(db);
    await sql`${trigger} for each row execute function wait_for_lock()`.execute(db);
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(4711)`.execute(transaction);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    const release = async () => {
      released.resolve();
      await holding;
    };
    onTestFinished(async () => {
      await release();
      await command(database.url, 'drop trigger held on dispatches; drop function wait_for_lock');
    });
    return release;
  }
});
