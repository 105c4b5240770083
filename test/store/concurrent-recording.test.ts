import { type RawBuilder, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { command } from '../../proving/faults/fixture/database.ts';
import type { Store } from '../../src/app/store.ts';
import { createRedelivery } from '../../src/destinations/tables/redelivery.ts';
import { announcementOf, decisionOf, entryOf, lifecycleAt, order, orderOf, toDefault } from '../support/make.ts';
import { describeOnPostgres, openIn, waitingForLocks } from './databases.ts';
import { dueSteps, observe, recordNext, takeKeys, waitingKeys } from './recordings.ts';

const key = 'order:9104:1';

describeOnPostgres('concurrent recording by several processes, on PostgreSQL', (database) => {
  async function openTwo(): Promise<{ readonly one: Store; readonly other: Store }> {
    const location = await database.locate();
    return { one: await openIn(database, { location }), other: await openIn(database, { location }) };
  }

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
    expect(await waitingKeys(one)).toEqual([]);
  });

  it('does not block other subjects', async () => {
    const { one, other } = await openTwo();
    await one.subjects.record(order, [], async () => {
      await recordNext(other, orderOf('2'), []);
      return decisionOf();
    });
    expect(await one.subjects.unsent(orderOf('2'))).toMatchObject({ default: { length: 1 } });
  });

  it('sees events that arrive before it settles, for which its workflow is not woken', async () => {
    const { one, other } = await openTwo();
    await one.inbox.add([entryOf('1', 1)]);
    await takeKeys(one);
    const { waiting } = await one.subjects.record(order, ['9104:1'], async () => {
      await other.inbox.add([entryOf('1', 2, 'OrderConfirm')]);
      expect(await takeKeys(other)).toEqual([]);
      return decisionOf();
    });
    expect(waiting).toEqual(['OrderConfirm']);
    expect(await takeKeys(other)).toEqual([]);
  });

  it('sees an event that arrives just before it settles', async () => {
    const { other, release, recording } = await recordHeld(sql`create trigger held before insert on due`);
    await other.inbox.add([second]);
    expect(await takeKeys(other)).toEqual([]);
    await release();
    expect((await recording).waiting).toEqual(['OrderConfirm']);
    expect(await takeKeys(other)).toEqual([]);
  });

  it('lets an event that arrives between settling and commit wake the workflow', async () => {
    const { other, release, recording } = await recordHeld(
      sql`create constraint trigger held after update on due deferrable initially deferred`,
    );
    const adding = other.inbox.add([second]);
    await expect.poll(() => waitingForLocks(other.db)).toBe(2);
    await release();
    expect((await recording).waiting).toEqual([]);
    await adding;
    expect(await dueSteps(other)).toEqual({ [key]: 'wake' });
  });

  it('and the arrival of an event leave its workflow woken or due to be, however they interleave', async () => {
    const { one, other } = await openTwo();
    for (let round = 0; round < 25; round += 1) {
      const subject = orderOf(`r${round}`);
      await one.inbox.add([entryOf(subject.id, 2 * round)]);
      await expect.poll(() => takeKeys(one)).toHaveLength(1);
      const [{ waiting }] = await Promise.all([
        recordNext(one, subject, [`9104:${2 * round}`]),
        other.inbox.add([entryOf(subject.id, 2 * round + 1, 'OrderConfirm')]),
      ]);
      const { [`order:9104:${subject.id}`]: step } = await dueSteps(one);
      expect(step).toBe(waiting.length > 0 ? 'woken' : 'wake');
      await observe(one, subject.id);
    }
  });

  it.each(['dead-lettered', 'requeued'])('keeps the mark of an announcement that is %s meanwhile', async (what) => {
    const { one, other } = await openTwo();
    const { id } = announcementOf(1);
    await recordNext(one, order, []);
    if (what === 'requeued') await other.outbox.deadLetter(toDefault(id), 'answered 410');
    let changing: Promise<void> = Promise.resolve();
    let isChanged = false;
    await one.subjects.record(order, [], async ({ saved }) => {
      const lists = createRedelivery(other);
      changing = (
        what === 'dead-lettered' ? other.outbox.deadLetter(toDefault(id), 'answered 410') : lists.requeue([id])
      ).then(() => {
        isChanged = true;
      });
      await expect.poll(async () => isChanged || (await waitingForLocks(other.db)) > 0).toBe(true);
      return decisionOf({ ...saved, lifecycle: lifecycleAt(2) });
    });
    await changing;
    const { saved } = await one.subjects.load(order, 0);
    expect(saved).toMatchObject({ isUnannounced: what === 'dead-lettered', lifecycle: { revision: 2 } });
  });

  const second = entryOf('1', 2, 'OrderConfirm');

  /** Records an event of a woken order up to the trigger. */
  async function recordHeld(trigger: RawBuilder<unknown>) {
    const { one, other } = await openTwo();
    await one.inbox.add([entryOf('1', 1)]);
    await takeKeys(one);
    const release = await hold(one, trigger);
    const recording = recordNext(one, order, ['9104:1']);
    await expect.poll(() => waitingForLocks(other.db)).toBe(1);
    return { other, release, recording };
  }

  /** Blocks a recording at the trigger until it is released. */
  async function hold({ db }: Store, trigger: RawBuilder<unknown>): Promise<() => Promise<void>> {
    await sql`create function wait_for_lock() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`.execute(db);
    await sql`${trigger} for each row when (new.step = 'recorded') execute function wait_for_lock()`.execute(db);
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
      await command(database.url, 'drop trigger held on due; drop function wait_for_lock');
    });
    return release;
  }
});
