import { expect, it, vi } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import { DocklineError } from '../../src/domain/errors.ts';
import type { Due } from '../../src/inbox/tables/due.ts';
import type { InboxRows } from '../../src/inbox/tables/inbox-rows.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { takeKeys } from '../store/recordings.ts';
import { entryOf } from '../support/make.ts';
import { begin, createServer, gate, Outage, untilIdle } from './dispatching.ts';

const NO_POLL = 1_000_000;

describeOnEither('the dispatcher', (database) => {
  it('wakes the workflow of each order once, with the names of all waiting events', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('a', 3, 'OrderCreate'), entryOf('b', 9), entryOf('a', 1), entryOf('a', 2)]);
    const server = createServer(store);
    await untilIdle(begin(store, server));
    // Orders that are claimed together are woken in any order.
    expect(server.calls.toSorted((a, b) => a.orderId.localeCompare(b.orderId))).toEqual([
      { orderId: 'a', names: ['OrderCreate', 'OrderUpdate', 'OrderUpdate'] },
      { orderId: 'b', names: ['OrderUpdate'] },
    ]);
  });

  it('does not wake a workflow again before it has recorded, whatever arrives', async () => {
    const store = await openIn(database);
    const server = createServer(store, undefined, { sleeps: true });
    const nextWakeInMs = vi.fn(store.due.nextWakeInMs);
    const takeWakes = vi.fn(store.due.takeWakes);
    const due = { ...store.due, nextWakeInMs, takeWakes };
    const dispatcher = begin(store, { due, wake: server.wake, pollMs: 5 });
    await store.inbox.add([entryOf('a', 1)]);
    dispatcher.wake();
    await expect.poll(server.woken).toEqual(['a']);
    for (const [n, other] of ['b', 'c', 'd'].entries()) {
      await store.inbox.add([entryOf('a', 10 + n), entryOf(other, 20 + n)]);
      dispatcher.wake();
      await expect.poll(server.woken).toContain(other);
    }
    const [looks, takes] = [nextWakeInMs.mock.calls.length, takeWakes.mock.calls.length];
    await expect.poll(() => nextWakeInMs.mock.calls.length).toBeGreaterThan(looks + 8);
    expect(server.woken()).toEqual(['a', 'b', 'c', 'd']);
    // What is not due is only looked for.
    expect(takeWakes.mock.calls).toHaveLength(takes);
  });

  it('wakes a workflow that has recorded for later events, without a poll', async () => {
    const store = await openIn(database);
    const server = createServer(store, undefined, { sleeps: true });
    const dispatcher = begin(store, { wake: server.wake, pollMs: NO_POLL });
    for (let n = 1; n <= 3; n += 1) {
      await store.inbox.add([entryOf('a', n)]);
      dispatcher.wake();
      await expect.poll(server.woken).toHaveLength(n);
      await server.record('a');
    }
    await untilIdle(dispatcher);
    expect(server.recorded).toEqual(['9104:1', '9104:2', '9104:3']);
  });

  it('never calls concurrently for one order, and uses its concurrency across orders', async () => {
    const store = await openIn(database);
    const four = gate();
    const server = createServer(store, () => (server.peak.orders < 4 ? four.opened : four.open()));
    const dispatcher = begin(store, { wake: server.wake, concurrency: 4 });
    for (let n = 1; n <= 300; n += 1) {
      await store.inbox.add([entryOf(String(n % 10), n)]);
      dispatcher.wake();
    }
    await untilIdle(dispatcher);
    expect(server.peak).toEqual({ orders: 4, ofOneOrder: 1 });
    expect(new Set(server.recorded).size).toBe(300);
    expect(server.recorded).toHaveLength(300);
  });

  it('finds rows by its poll if nobody wakes it', async () => {
    const store = await openIn(database);
    const server = createServer(store);
    const dispatcher = begin(store, { wake: server.wake, pollMs: 10 });
    await store.inbox.add([entryOf('a', 1)]);
    await untilIdle(dispatcher);
    expect(server.recorded).toEqual(['9104:1']);
  });

  it('waits out an outage with one call at a time, logs it once, and then wakes all workflows', async () => {
    const store = await openIn(database);
    await store.inbox.add(Array.from({ length: 60 }, (_, n) => entryOf(String(n), n + 1)));
    let failures = 0;
    let together = 0;
    let mostTogether = 0;
    const server = createServer(store, async () => {
      if (failures >= 19) return;
      together += 1;
      if (failures >= 16) mostTogether = Math.max(mostTogether, together);
      await new Promise((done) => setImmediate(done));
      together -= 1;
      failures += 1;
      throw new Outage('away');
    });
    const dispatcher = begin(store, server);
    await untilIdle(dispatcher);
    expect(mostTogether).toBe(1);
    expect(new Set(server.recorded).size).toBe(60);
    expect(server.recorded).toHaveLength(60);
    expect(dispatcher.lines).toEqual(['dispatching stopped; events wait in the inbox', 'dispatching resumed']);
  });

  it('waits out an outage of the store without losing a subject', async () => {
    const store = await openIn(database);
    await store.inbox.add(Array.from({ length: 20 }, (_, n) => entryOf(String(n), n + 1)));
    const failTwice = () => {
      let failures = 0;
      return () => {
        failures += 1;
        if (failures <= 2) throw new DocklineError('ERR_STORE_UNAVAILABLE', 'away');
      };
    };
    const [failTaking, failReading] = [failTwice(), failTwice()];
    const takeWakes: Due['takeWakes'] = async (limit) => {
      failTaking();
      return await store.due.takeWakes(limit);
    };
    const waitingOf: InboxRows['waitingOf'] = async (key) => {
      failReading();
      return await store.inbox.waitingOf(key);
    };
    const server = createServer(store);
    const dispatcher = begin(store, {
      due: { ...store.due, takeWakes },
      rows: { ...store.inbox, waitingOf },
      wake: server.wake,
      pollMs: NO_POLL,
    });
    await untilIdle(dispatcher);
    expect(server.recorded).toHaveLength(20);
    expect(dispatcher.lines).toEqual(['dispatching stopped; events wait in the inbox', 'dispatching resumed']);
  });

  it('quarantines events that Temporal refuses twice, with its reason, without holding back others', async () => {
    const store = await openIn(database);
    const server = createServer(store, ({ id }) => {
      if (id === 'bad') throw new Error('the input is too large');
    });
    await store.inbox.add([entryOf('bad', 1), entryOf('bad', 2)]);
    await store.inbox.add(Array.from({ length: 40 }, (_, n) => entryOf(String(n), n + 10)));
    const dispatcher = begin(store, { wake: server.wake, concurrency: 1 });
    await untilIdle(dispatcher);
    expect(server.recorded).toHaveLength(40);
    expect(server.woken().indexOf('bad', 1)).toBeGreaterThan(1);
    expect(server.woken().filter((id) => id === 'bad')).toHaveLength(2);
    expect(await createSummary(store).quarantined()).toEqual([
      { reason: 'Temporal refuses it: the input is too large', count: 2 },
    ]);
    expect((await store.due.takeChecks(0, 100)).open).toEqual([]);
    expect(dispatcher.lines).toEqual([
      'events cannot be dispatched; retrying once',
      'events cannot be dispatched and were quarantined',
    ]);
  });

  it('retries a subject that Temporal refuses once, noted after the loop has read that nothing is due', async () => {
    const store = await openIn(database);
    const server = createServer(store, (_, call) => {
      if (call === 1) throw new Error('refused');
    });
    await store.inbox.add([entryOf('a', 1)]);
    const sawNone = gate();
    const nextWakeInMs: Due['nextWakeInMs'] = async () => {
      const ms = await store.due.nextWakeInMs();
      if (ms === undefined) setImmediate(() => sawNone.open());
      return ms;
    };
    const schedule: Due['schedule'] = async (keys, options) => {
      await sawNone.opened;
      await store.due.schedule(keys, options);
    };
    const dispatcher = begin(store, {
      due: { ...store.due, nextWakeInMs, schedule },
      wake: server.wake,
      pollMs: NO_POLL,
    });
    await untilIdle(dispatcher);
    await store.inbox.add([entryOf('a', 2)]);
    dispatcher.wake();
    await untilIdle(dispatcher);
    expect(server.recorded).toEqual(['9104:1', '9104:2']);
    expect(await createSummary(store).quarantined()).toEqual([]);
  });

  it('quarantines events of a subject that this version does not follow', async () => {
    const store = await openIn(database);
    await store.inbox.add([{ ...entryOf('a', 1), subjectKey: 'planet:9104:3' }, entryOf('a', 2)]);
    const server = createServer(store);
    await untilIdle(begin(store, server));
    expect(server.recorded).toEqual(['9104:2']);
    expect(await createSummary(store).quarantined()).toEqual([
      { reason: 'not a subject that this version follows', count: 1 },
    ]);
  });

  it('closes after the calls in progress, and starts no others', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('a', 1), entryOf('b', 2)]);
    const hanging = gate();
    const server = createServer(store, () => hanging.opened);
    const dispatcher = begin(store, { wake: server.wake, concurrency: 1 });
    await expect.poll(server.woken).toEqual(['a']);
    let isClosed = false;
    const closed = dispatcher.close().then(() => {
      isClosed = true;
    });
    await new Promise((done) => setImmediate(done));
    expect(isClosed).toBe(false);
    hanging.open();
    await closed;
    expect(store.inbox.waiting()).toBe(1);
    expect(server.recorded).toEqual(['9104:1']);
  });

  it('leaves a subject due to be woken after a failed call, so that another dispatcher may take it', async () => {
    const store = await openIn(database);
    const server = createServer(store, () => {
      throw new Outage('away');
    });
    await store.inbox.add([entryOf('a', 1)]);
    const dispatcher = begin(store, server);
    await expect.poll(server.woken).toContain('a');
    await dispatcher.close();
    expect(await takeKeys(store)).toEqual(['order:9104:a']);
  });
});
