import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { reasonOf } from '../../src/domain/errors.ts';
import type { Entry } from '../../src/domain/quarantine.ts';
import type { Wake } from '../../src/inbox/dispatcher.ts';
import { createInbox, type Inbox } from '../../src/inbox/inbox.ts';
import type { Subjects } from '../../src/subjects/tables/subjects.ts';
import { describeOnPostgres, endConnections, openIn } from '../store/databases.ts';
import { takeKeys, waitingKeys } from '../store/recordings.ts';
import type { TestStore } from '../store/temporary-store.ts';
import { entryOf } from '../support/make.ts';
import { begin, beginPatrol, createServer, untilIdle } from './dispatching.ts';

describeOnPostgres('several processes with one database', (database) => {
  /** Opens several stores on one empty database, as separate processes would. */
  async function openSeveral(count = 2) {
    const location = await database.locate();
    const stores = await Promise.all(Array.from({ length: count }, () => openIn(database, { location })));
    return stores as [TestStore, TestStore, ...TestStore[]];
  }

  it('wake a subject once until it has recorded, and record each event once, in the order of the inbox', async () => {
    const stores = await openSeveral(4);
    const awake = new Set<string>();
    let wokenTwice = 0;
    const [{ subjects }] = stores;
    const record: Subjects['record'] = async (subject, ...rest) => {
      awake.delete(subject.id);
      // Once more afterwards, since a dispatcher may have claimed it just before.
      return await subjects.record(subject, ...rest).finally(() => awake.delete(subject.id));
    };
    const server = createServer({ subjects: { ...subjects, record } }, async ({ id }) => {
      if (awake.has(id)) wokenTwice += 1;
      awake.add(id);
      await turn();
    });
    const { wake } = server;
    const dispatchers = stores.map((store) => begin(store, { wake, concurrency: 4, pollMs: 20 }));
    const inboxes = stores
      .slice(0, 2)
      .map((store, index) =>
        createInbox({ rows: store.inbox, limit: 10_000, onWaiting: dispatchers[index]?.wake ?? (() => {}) }),
      );
    const orderOf = (event: number) => event % 12;
    const adding = Array.from({ length: 480 }, (_, n) => inboxes[orderOf(n) % 2]?.add(entryOf(String(orderOf(n)), n)));
    await Promise.all(adding);
    await expect.poll(() => server.recorded.length).toBe(480);
    await Promise.all(dispatchers.map(untilIdle));
    expect(wokenTwice).toBe(0);
    for (let order = 0; order < 12; order += 1) {
      const expected = Array.from({ length: 40 }, (_, n) => `9104:${n * 12 + order}`);
      const recorded = server.recorded.filter((id) => orderOf(Number(id.slice(5))) === order);
      expect(recorded).toEqual(expected);
    }
    expect(dispatchers.flatMap(({ lines }) => lines)).toEqual([]);
  });

  it('take over the subjects of one that died', async () => {
    const [one, other] = await openSeveral();
    await one.inbox.add([entryOf('a', 1), entryOf('a', 2)]);
    expect(await takeKeys(one)).toEqual(['order:9104:a']);
    await one.close();
    const server = createServer(other);
    const dispatcher = begin(other, { wake: server.wake, pollMs: 5 });
    await other.inbox.add([entryOf('a', 3), entryOf('b', 4)]);
    await expect.poll(server.woken).toEqual(['b']);
    beginPatrol(other, { afterMs: 500 });
    await untilIdle(dispatcher);
    expect(server.recorded.toSorted()).toEqual(['9104:1', '9104:2', '9104:3', '9104:4']);
    expect(server.woken().slice(0, 2)).toEqual(['b', 'a']);
  });

  it('lose nothing when the database is restarted again and again', async () => {
    const [one, other] = await openSeveral();
    const server = createServer(one, async () => void (await turn()), { sleeps: true });
    const wake: Wake = async (order, names) => {
      await server.wake(order, names);
      // A failed recording of the workflow must not fail its signal.
      await server.record(order.id).catch(() => undefined);
    };
    const dispatchers = [one, other].map((store) => begin(store, { wake }));
    for (const store of [one, other]) beginPatrol(store, { afterMs: 500 });
    const inbox = createInbox({ rows: one.inbox, limit: 10_000, onWaiting: dispatchers[0]?.wake ?? (() => {}) });
    const numbers = Array.from({ length: 80 }, (_, n) => n);
    for (let restart = 0; restart < 4; restart += 1) {
      const sent = numbers.filter((n) => n % 4 === restart).map((n) => send(inbox, entryOf(String(n % 10), n)));
      await expect.poll(() => server.calls.length).toBeGreaterThan(restart * 2);
      await endConnections(database.url);
      await Promise.all(sent);
    }
    await expect.poll(() => waitingKeys(one).catch(() => undefined)).toEqual([]);
    const observed = await one.db.selectFrom('inbox').select('event_id').where('observed_at', 'is not', null).execute();
    expect(observed).toHaveLength(80);
    expect(new Set(server.recorded).size).toBe(server.recorded.length);
  });

  /** Sends a delivery until it is accepted, as senders do. */
  async function send(inbox: Inbox, entry: Entry): Promise<void> {
    await expect.poll(() => inbox.add(entry).catch(reasonOf)).toMatch(/^(accepted|duplicate)$/);
  }
});
