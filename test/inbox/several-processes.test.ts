import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { reasonOf } from '../../src/domain/errors.ts';
import { createInbox, type Inbox } from '../../src/inbox/inbox.ts';
import { replayParked } from '../../src/inbox/replay.ts';
import type { Entry } from '../../src/inbox/rows.ts';
import type { Store } from '../../src/store/store.ts';
import { describeOnPostgres, endConnections, openIn } from '../store/databases.ts';
import { begin, createServer, gate, untilIdle } from './dispatching.ts';
import { dispatchAll, entryOf, parkedEntry } from './entries.ts';

describeOnPostgres('several processes with one database', (database) => {
  /** As many stores on one empty database, each as a process of its own would have it. */
  async function openSeveral(count: number): Promise<readonly Store[]> {
    const location = await database.locate();
    return await Promise.all(Array.from({ length: count }, () => openIn(database, { location })));
  }

  async function openTwo(): Promise<{ readonly one: Store; readonly other: Store }> {
    const location = await database.locate();
    return { one: await openIn(database, { location }), other: await openIn(database, { location }) };
  }

  it('dispatch each event once, never two calls of an order at once, and in the order of their coming', async () => {
    const stores = await openSeveral(4);
    const server = createServer(async () => void (await turn()));
    const dispatchers = stores.map((store) => begin(store, { dispatch: server.dispatch, concurrency: 4, pollMs: 20 }));
    const inboxes = stores
      .slice(0, 2)
      .map((store, index) =>
        createInbox({ rows: store.inbox, limit: 10_000, onWaiting: dispatchers[index]?.wake ?? (() => {}) }),
      );
    const orderOf = (event: number) => event % 12;
    const adding = Array.from({ length: 3000 }, (_, n) => inboxes[orderOf(n) % 2]?.add(entryOf(String(orderOf(n)), n)));
    await Promise.all(adding);
    await expect.poll(() => server.received().length, { timeout: 30_000 }).toBe(3000);
    await Promise.all(dispatchers.map(untilIdle));
    expect(server.peak.ofOneOrder).toBe(1);
    for (let order = 0; order < 12; order += 1) {
      const expected = Array.from({ length: 250 }, (_, n) => `9104:${n * 12 + order}`);
      expect(server.calls.filter(({ orderId }) => orderId === String(order)).flatMap(({ ids }) => ids)).toEqual(
        expected,
      );
    }
    expect(dispatchers.flatMap(({ lines }) => lines)).toEqual([]);
  });

  it('leave a subject alone that one of them serves, and serve it when that one is done', async () => {
    const { one, other } = await openTwo();
    await one.inbox.add([entryOf('a', 1), entryOf('b', 2)]);
    const [begun, held] = [gate(), gate()];
    const claim = one.inbox.claim('order:9104:a', () => {
      begun.open();
      return held.opened;
    });
    await begun.opened;
    const server = createServer();
    const dispatcher = begin(other, server);
    await expect.poll(server.received).toEqual(['9104:2']);
    await expect(other.inbox.claim('order:9104:a', async () => 'mine')).resolves.toBeUndefined();
    held.open();
    await claim;
    await expect.poll(server.received).toEqual(['9104:2', '9104:1']);
    expect(dispatcher.lines).toEqual([]);
  });

  it('find what another took in by their poll', async () => {
    const { one, other } = await openTwo();
    const server = createServer();
    begin(other, server);
    await one.inbox.add([entryOf('a', 1)]);
    await expect.poll(server.received).toEqual(['9104:1']);
    await expect.poll(one.inbox.waiting, { timeout: 5000 }).toBe(0);
  });

  it('take over what one of them had claimed when it was killed', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('a', 1), entryOf('a', 2)]);
    const other = await claimInAnotherProcess('order:9104:a');
    const server = createServer();
    const dispatcher = begin(store, server);
    await expect(store.inbox.claim('order:9104:a', async () => 'mine')).resolves.toBeUndefined();
    other.kill('SIGKILL');
    await expect.poll(server.received).toEqual(['9104:1', '9104:2']);
    await untilIdle(dispatcher);
    expect(server.calls).toHaveLength(1);
  });

  it('lose nothing when the database is restarted again and again', async () => {
    const { one, other } = await openTwo();
    const server = createServer(async () => void (await turn()));
    const dispatchers = [one, other].map((store) => begin(store, { dispatch: server.dispatch }));
    const inbox = createInbox({ rows: one.inbox, limit: 10_000, onWaiting: dispatchers[0]?.wake ?? (() => {}) });
    const numbers = Array.from({ length: 600 }, (_, n) => n);
    for (let restart = 0; restart < 4; restart += 1) {
      const sent = numbers.filter((n) => n % 4 === restart).map((n) => send(inbox, entryOf(String(n % 20), n)));
      await expect.poll(() => server.calls.length).toBeGreaterThan(restart * 5);
      await endConnections(database.url);
      await Promise.all(sent);
    }
    await expect.poll(() => new Set(server.received()).size, { timeout: 30_000 }).toBe(600);
    await expect.poll(() => one.inbox.subjectsAfter(0, 10).catch(() => undefined), { timeout: 30_000 }).toEqual([]);
  });

  it('know about how many rows wait, and what is full for all', async () => {
    const { one, other } = await openTwo();
    const inbox = createInbox({ rows: other.inbox, limit: 3 });
    await one.inbox.add([1, 2, 3].map((n) => entryOf('a', n)));
    await expect.poll(other.inbox.waiting, { timeout: 5000 }).toBe(3);
    await expect(inbox.add(entryOf('a', 4))).rejects.toMatchObject({ reason: 'full' });
    await dispatchAll(one.inbox, 'a');
    await expect.poll(other.inbox.waiting, { timeout: 5000 }).toBe(0);
    expect(await inbox.add(entryOf('a', 4))).toBe('accepted');
  });

  it('take the same deliveries in at once, in any order, each once', async () => {
    const { one, other } = await openTwo();
    const [forward, backward] = [one, other].map(({ inbox }) => createInbox({ rows: inbox, limit: 100_000 }));
    for (let round = 0; round < 5; round += 1) {
      const numbers = Array.from({ length: 100 }, (_, n) => round * 100 + n);
      const outcomes = await Promise.all([
        ...numbers.map((n) => forward?.add(entryOf('a', n))),
        ...numbers.toReversed().map((n) => backward?.add(entryOf('a', n))),
      ]);
      expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(100);
      expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(100);
    }
  });

  it('replay what is parked at once, each delivery once', async () => {
    const { one, other } = await openTwo();
    const keys = Array.from({ length: 500 }, (_, n) => `9104:${n}`);
    await one.inbox.add(keys.map((key) => parkedEntry(key)));
    const understood = keys.map((_, n) => entryOf('a', n));
    const replayed = await Promise.all(
      [one, other].map(({ inbox }) =>
        replayParked({ rows: inbox, read: ({ id }) => understood[id - 1] ?? parkedEntry(`none:${id}`) }),
      ),
    );
    expect(replayed.reduce((sum, count) => sum + count, 0)).toBe(500);
    expect(await one.inbox.subjectsAfter(0, 1000)).toHaveLength(500);
    expect(await one.summary.parked()).toEqual([]);
  });

  /** Sends a delivery until it is taken, as a sender does. */
  async function send(inbox: Inbox, entry: Entry): Promise<void> {
    await expect.poll(() => inbox.add(entry).catch(reasonOf), { timeout: 30_000 }).toMatch(/^(accepted|duplicate)$/);
  }

  async function claimInAnotherProcess(subjectKey: string) {
    const script = fileURLToPath(new URL('../support/claim-and-hang.ts', import.meta.url));
    const child = spawn(process.execPath, [script, database.url, subjectKey], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return child;
  }
});
