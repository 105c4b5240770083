import { expect, it, onTestFinished } from 'vitest';
import type { SignaledEvent } from '../../src/domain/event.ts';
import { createDispatcher, type DispatcherDeps } from '../../src/inbox/dispatcher.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { begin, createServer, gate, Outage, untilIdle } from './dispatching.ts';
import { entryOf } from './entries.ts';

describeOnBoth('the dispatcher', (database) => {
  it('sends all that waits for an order in one call, in the order of the inbox', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('a', 3), entryOf('b', 9), entryOf('a', 1), entryOf('a', 2)]);
    const server = createServer();
    await untilIdle(begin(store, server));
    expect(server.calls).toEqual([
      { orderId: 'a', ids: ['9104:3', '9104:1', '9104:2'] },
      { orderId: 'b', ids: ['9104:9'] },
    ]);
  });

  it('gives each event its milestone and plan', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('a', 1, 'OrderPickJobDone')]);
    let seen: readonly SignaledEvent[] = [];
    const dispatch: DispatcherDeps['dispatch'] = async (_order, events) => {
      seen = events;
    };
    await untilIdle(begin(store, { dispatch }));
    expect(seen).toMatchObject([{ milestone: 'picked', plan: ['getOrdersPicklist', 'getUser'] }]);
  });

  it('sends at most 200 events in a call', async () => {
    const store = await openIn(database);
    await store.inbox.add(Array.from({ length: 450 }, (_, n) => entryOf('a', n + 1)));
    const server = createServer();
    await untilIdle(begin(store, server));
    expect(server.calls.map(({ ids }) => ids.length)).toEqual([200, 200, 50]);
    expect(server.received()).toEqual(Array.from({ length: 450 }, (_, n) => `9104:${n + 1}`));
  });

  it('never has two calls of one order under way, and as many orders as it may', async () => {
    const store = await openIn(database);
    const four = gate();
    const server = createServer(() => (server.peak.orders < 4 ? four.opened : four.open()));
    const dispatcher = begin(store, { dispatch: server.dispatch, concurrency: 4 });
    for (let n = 1; n <= 300; n += 1) {
      await store.inbox.add([entryOf(String(n % 10), n)]);
      dispatcher.wake();
    }
    await untilIdle(dispatcher);
    expect(server.peak).toEqual({ orders: 4, ofOneOrder: 1 });
    expect(new Set(server.received()).size).toBe(300);
    expect(server.received()).toHaveLength(300);
  });

  it('has no more calls under way than the rows allow claims', async () => {
    const store = await openIn(database);
    await store.inbox.add(Array.from({ length: 40 }, (_, n) => entryOf(String(n), n + 1)));
    const held = gate();
    const server = createServer(() => held.opened);
    const dispatcher = begin(store, {
      rows: { ...store.inbox, claimsAtOnce: 2 },
      dispatch: server.dispatch,
      pollMs: 5,
    });
    onTestFinished(() => held.open());
    await expect.poll(() => server.calls.length).toBe(2);
    for (let look = 0; look < 20; look += 1) await store.inbox.subjectsAfter(0, 10);
    expect(server.calls).toHaveLength(2);
    held.open();
    await untilIdle(dispatcher);
    expect(server.received()).toHaveLength(40);
  });

  it('sends what comes for an order during its call in the next call, without the poll', async () => {
    const store = await openIn(database);
    const first = gate();
    const server = createServer((_order, call) => (call === 1 ? first.opened : undefined));
    const dispatcher = begin(store, { dispatch: server.dispatch, pollMs: 1_000_000 });
    await store.inbox.add([entryOf('a', 1)]);
    dispatcher.wake();
    await expect.poll(() => server.calls.length).toBe(1);
    await store.inbox.add([entryOf('a', 2), entryOf('b', 3)]);
    dispatcher.wake();
    await expect.poll(() => server.received()).toEqual(['9104:3']);
    first.open();
    await untilIdle(dispatcher);
    expect(server.calls.filter(({ orderId }) => orderId === 'a').map(({ ids }) => ids)).toEqual([
      ['9104:1'],
      ['9104:2'],
    ]);
  });

  it('serves a backlog of many orders oldest first', async () => {
    const store = await openIn(database);
    const orders = Array.from({ length: 1500 }, (_, n) => String(n));
    await store.inbox.add(orders.map((order, n) => entryOf(order, n + 1)));
    const server = createServer();
    await untilIdle(begin(store, { dispatch: server.dispatch, concurrency: 1 }));
    expect(server.calls.map(({ orderId }) => orderId)).toEqual(orders);
  });

  it('serves others between the calls of orders that never run dry', async () => {
    const store = await openIn(database);
    await store.inbox.add(Array.from({ length: 1000 }, (_, n) => entryOf('busy', n + 1)));
    await store.inbox.add([entryOf('small', 2000)]);
    const server = createServer();
    await untilIdle(begin(store, { dispatch: server.dispatch, concurrency: 1 }));
    expect(server.calls.map(({ orderId }) => orderId)).toEqual(['busy', 'small', 'busy', 'busy', 'busy', 'busy']);
  });

  it('finds rows by its poll when nobody woke it', async () => {
    const store = await openIn(database);
    const server = createServer();
    const dispatcher = begin(store, { dispatch: server.dispatch, pollMs: 10 });
    await store.inbox.add([entryOf('a', 1)]);
    await untilIdle(dispatcher);
    expect(server.received()).toEqual(['9104:1']);
  });

  it('waits an outage out with one call at a time, tells of it once, and then delivers all of it', async () => {
    const store = await openIn(database);
    await store.inbox.add(Array.from({ length: 60 }, (_, n) => entryOf(String(n), n + 1)));
    let failures = 0;
    let together = 0;
    let mostTogether = 0;
    const server = createServer(async () => {
      if (failures >= 20) return;
      together += 1;
      if (failures >= 16) mostTogether = Math.max(mostTogether, together);
      await new Promise((done) => setImmediate(done));
      together -= 1;
      failures += 1;
      throw new Outage('away');
    });
    const dispatcher = begin(store, { dispatch: server.dispatch });
    await untilIdle(dispatcher);
    expect(mostTogether).toBe(1);
    expect(new Set(server.received()).size).toBe(60);
    expect(server.received()).toHaveLength(60);
    expect(dispatcher.lines).toEqual(['dispatching stopped; events wait in the inbox', 'dispatching goes on']);
  });

  it('pauses only the order that is refused while the others go on', async () => {
    const store = await openIn(database);
    let isRefused = true;
    const server = createServer(({ id }) => {
      if (id === 'bad' && isRefused) throw new Error('refused');
    });
    await store.inbox.add([entryOf('bad', 1), entryOf('bad', 2)]);
    const dispatcher = begin(store, { dispatch: server.dispatch });
    await expect.poll(() => server.calls.filter(({ orderId }) => orderId === 'bad').length).toBeGreaterThan(1);
    await store.inbox.add(Array.from({ length: 40 }, (_, n) => entryOf(String(n), n + 10)));
    dispatcher.wake();
    await expect.poll(() => server.received().length).toBe(40);
    isRefused = false;
    await untilIdle(dispatcher);
    expect(server.received().slice(-2)).toEqual(['9104:1', '9104:2']);
    expect(dispatcher.lines).toEqual(['events cannot be dispatched; they are retried', 'events are dispatched again']);
  });

  it('parks a row that this version cannot read, and sends those behind it', async () => {
    const store = await openIn(database);
    const foreign = entryOf('a', 1, 'OrderTeleported');
    await store.inbox.add([foreign, entryOf('a', 2)]);
    const server = createServer();
    await untilIdle(begin(store, server));
    expect(server.received()).toEqual(['9104:2']);
    expect(await store.summary.parked()).toEqual([{ reason: 'not an event that this version follows', count: 1 }]);
  });

  it('closes only when calls under way have returned, and their rows are marked', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('a', 1), entryOf('b', 2)]);
    const hanging = gate();
    const server = createServer(() => hanging.opened);
    const dispatcher = begin(store, { dispatch: server.dispatch, concurrency: 1 });
    await expect.poll(() => server.calls.length).toBe(1);
    let isClosed = false;
    const closed = dispatcher.close().then(() => {
      isClosed = true;
    });
    await new Promise((done) => setImmediate(done));
    expect(isClosed).toBe(false);
    hanging.open();
    await closed;
    expect(store.inbox.waiting()).toBe(1);
    expect(server.received()).toEqual(['9104:1']);
  });

  it('delivers after a restart what was not dispatched before it', async () => {
    const location = await database.locate();
    const first = await openIn(database, { location });
    await first.inbox.add([entryOf('a', 1), entryOf('b', 2)]);
    await first.close();
    const server = createServer();
    await untilIdle(begin(await openIn(database, { location }), server));
    expect(server.received()).toEqual(['9104:1', '9104:2']);
  });

  it('repeats a call that was not marked when the process died, and loses nothing', async () => {
    const location = await database.locate();
    const first = await openIn(database, { location });
    await first.inbox.add([entryOf('a', 1)]);
    const server = createServer();
    const { promise: died, reject: die } = Promise.withResolvers<void>();
    const dying = createDispatcher({
      rows: {
        ...first.inbox,
        claim: (key, serve) => first.inbox.claim(key, (rows) => serve({ ...rows, markDispatched: () => died })),
      },
      dispatch: server.dispatch,
      isOutage: () => false,
      logger: { info() {}, warn() {}, error() {} },
    });
    dying.start();
    await expect.poll(() => server.received()).toEqual(['9104:1']);
    die(new Error('it died'));
    await dying.close();
    await first.close();
    await untilIdle(begin(await openIn(database, { location }), server));
    expect(server.received()).toEqual(['9104:1', '9104:1']);
  });
});
