import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SubjectRef, subjectKey } from '../../src/domain/catalogue/subject.ts';
import type { Condition, PatrolDeps } from '../../src/inbox/patrol.ts';
import type { Store } from '../../src/store/store.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { recordAs, recordNext } from '../store/recordings.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { AFTER_MS, beginPatrol, createServer, gate, Outage } from './dispatching.ts';
import { entryOf } from './entries.ts';

const orderOf = (id: string): SubjectRef => ({ tenant: '9104', kind: 'order', id });

/** Creates a clock that can be put ahead. */
function createClock() {
  const clock = { aheadMs: 0 };
  const pass = (ms: number) => {
    clock.aheadMs += ms;
  };
  return { now: () => Date.now() + clock.aheadMs, pass };
}

/** Adds and claims an event of each order, as if its workflow had been woken. */
async function claimWithoutEffect(store: Store, ids: readonly string[]): Promise<void> {
  await store.inbox.add(ids.map((id, n) => entryOf(id, n + 1)));
  for (const id of ids) await store.inbox.claim(subjectKey(orderOf(id)));
}

/** Records an announcement of each order. */
async function leaveUnsent(store: Store, ids: readonly string[]): Promise<void> {
  for (const id of ids) await recordNext(store, orderOf(id), []);
}

describeOnBoth('the patrol', (database) => {
  it.each<[Condition, readonly string[]]>([
    ['gone', ['wake a']],
    ['asleep', ['wake a']],
    ['wedged', ['end a', 'wake a']],
  ])('wakes a workflow that is %s while its events wait', async (condition, expected) => {
    const store = await openIn(database);
    await claimWithoutEffect(store, ['a']);
    const server = createServer(store);
    const { acts, lines } = beginPatrol(store, {
      condition: () => condition,
      wake: async (subject) => {
        acts.push(`wake ${subject.id}`);
        await server.wake(subject, []);
      },
    });
    await expect.poll(() => server.recorded).toEqual(['9104:1']);
    expect(acts).toEqual(expected);
    expect(lines).toEqual(['workflow does not process its events or announcements; waking it again']);
    expect(await store.inbox.overdue(0, 10)).toEqual([]);
  });

  it('leaves a busy workflow alone, and checks it again', async () => {
    const store = await openIn(database);
    await claimWithoutEffect(store, ['a']);
    let looks = 0;
    const condition = () => {
      looks += 1;
      return looks < 4 ? 'busy' : 'gone';
    };
    const { acts } = beginPatrol(store, { condition });
    await expect.poll(() => acts.length).toBeGreaterThan(0);
    expect(looks).toBeGreaterThanOrEqual(4);
  });

  it('checks no workflow before it is overdue', async () => {
    const clock = createClock();
    const store = await openIn(database, { now: clock.now });
    await claimWithoutEffect(store, ['a']);
    await leaveUnsent(store, ['b']);
    let rounds = 0;
    const unsent: PatrolDeps['unsent'] = (_ageMs, ...rest) => {
      rounds += 1;
      return store.outbox.overdue(60_000, ...rest);
    };
    const rows = { ...store.inbox, overdue: (_ageMs: number, limit: number) => store.inbox.overdue(60_000, limit) };
    const { acts } = beginPatrol(store, { rows, unsent });
    await expect.poll(() => rounds).toBeGreaterThan(2);
    expect(acts).toEqual([]);
    clock.pass(60_000);
    await expect.poll(() => new Set(acts)).toEqual(new Set(['wake a', 'wake b']));
  });

  it('wakes a workflow whose announcements are unsent', async () => {
    const store = await openIn(database);
    await leaveUnsent(store, ['a', 'b']);
    await store.outbox.sent('order:9104:b/1/updated', { status: 200, ms: 1 });
    const { acts } = beginPatrol(store, {});
    await expect.poll(() => acts.length).toBeGreaterThan(2);
    expect(new Set(acts)).toEqual(new Set(['wake a']));
  });

  it('reads unsent announcements page by page, again and again', async () => {
    const store = await openIn(database, { now: () => 1_000_000 });
    const ids = Array.from({ length: 120 }, (_, n) => String(n));
    await leaveUnsent(store, ids);
    const pages: number[] = [];
    const unsent: PatrolDeps['unsent'] = async (_ageMs, after, limit) => {
      const page = await store.outbox.overdue(0, after, limit);
      pages.push(page.length);
      return page;
    };
    const looked: string[] = [];
    beginPatrol(store, {
      unsent,
      look: async ({ id }) => {
        looked.push(id);
        return 'busy';
      },
    });
    await expect.poll(() => pages.slice(0, 6)).toEqual([50, 50, 20, 50, 50, 20]);
    expect(new Set(looked.slice(0, 120))).toEqual(new Set(ids));
  });

  it('wakes a workflow that was to fetch its subject again and did not', async () => {
    const store = await openIn(database);
    const lookAgainAt = Date.now() - AFTER_MS;
    await recordAs(store, orderOf('a'), { lookAgainAt });
    await recordAs(store, orderOf('b'), { lookAgainAt: lookAgainAt + 60_000 });
    const { acts } = beginPatrol(store, { condition: () => 'asleep' });
    await expect.poll(() => acts.length).toBeGreaterThan(1);
    expect(new Set(acts)).toEqual(new Set(['wake a']));
  });

  it('checks a workflow with many unsent announcements once', async () => {
    const store = await openIn(database);
    for (let n = 0; n < 10; n += 1) await leaveUnsent(store, ['a']);
    const wake = gate();
    const { acts } = beginPatrol(store, {
      wake: async ({ id }) => {
        acts.push(id);
        await wake.opened;
      },
    });
    await expect.poll(() => acts).toEqual(['a']);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(acts).toEqual(['a']);
    wake.open();
  });

  it('survives an outage of Temporal, which it leaves to others to log', async () => {
    const store = await openIn(database);
    await claimWithoutEffect(store, ['a', 'b']);
    const server = createServer(store);
    let calls = 0;
    const { lines } = beginPatrol(store, {
      wake: server.wake,
      look: async () => {
        calls += 1;
        if (calls <= 5) throw new Outage('away');
        return 'gone';
      },
    });
    await expect.poll(() => server.recorded.toSorted()).toEqual(['9104:1', '9104:2']);
    expect(new Set(lines)).toEqual(new Set(['workflow does not process its events or announcements; waking it again']));
  });

  it('survives any other failure, and logs it once', async () => {
    const store = await openIn(database);
    await claimWithoutEffect(store, ['a']);
    const server = createServer(store);
    let calls = 0;
    const unsent: PatrolDeps['unsent'] = async () => {
      calls += 1;
      if (calls <= 5) throw new Error('broken');
      return [];
    };
    const { lines } = beginPatrol(store, { wake: server.wake, unsent });
    await expect.poll(() => calls).toBeGreaterThan(5);
    expect(lines.filter((line) => line.startsWith('cannot look for'))).toHaveLength(1);
  });

  it('skips subjects that this version does not follow', async () => {
    const store = await openIn(database);
    await store.inbox.add([{ ...entryOf('x', 9), subjectKey: 'planet:9104:3' }]);
    await store.inbox.claim('planet:9104:3');
    await claimWithoutEffect(store, ['a']);
    const { acts } = beginPatrol(store, {});
    await expect.poll(() => acts.length).toBeGreaterThan(1);
    expect(new Set(acts)).toEqual(new Set(['wake a']));
  });

  it('closes after the calls in progress, and starts no others', async () => {
    const clock = createClock();
    const store = await openIn(database, { now: clock.now });
    const ids = Array.from({ length: 40 }, (_, n) => String(n));
    await claimWithoutEffect(store, ids);
    clock.pass(60_000);
    const hanging = gate();
    let looks = 0;
    const { close, acts } = beginPatrol(store, {
      look: async () => {
        looks += 1;
        await hanging.opened;
        return 'gone';
      },
    });
    onTestFinished(() => hanging.open());
    await expect.poll(() => looks).toBe(8);
    const closed = close();
    hanging.open();
    await closed;
    expect(looks).toBe(8);
    expect(acts).toHaveLength(8);
  });
});

describe('the patrol with fake timers', () => {
  beforeEach(() => void vi.useFakeTimers({ fakeNodeBuiltins: true, toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('wakes many lost workflows without waiting between rounds', async () => {
    const clock = createClock();
    const store = await openTemporaryStore({ now: clock.now });
    const ids = Array.from({ length: 210 }, (_, n) => String(n));
    await claimWithoutEffect(store, ids);
    clock.pass(60_000);
    const server = createServer(store);
    const { close } = beginPatrol(store, { wake: server.wake });
    for (let turns = 0; turns < 20_000 && server.recorded.length < 210; turns += 1) await turn();
    expect(server.recorded).toHaveLength(210);
    expect(server.woken().toSorted()).toEqual(ids.toSorted());
    await close();
  });

  it('closes promptly between rounds', async () => {
    const store = await openTemporaryStore();
    let rounds = 0;
    const overdue = async () => {
      rounds += 1;
      return [];
    };
    const { close } = beginPatrol(store, { rows: { ...store.inbox, overdue } });
    for (let turns = 0; turns < 1000; turns += 1) await turn();
    expect(rounds).toBe(1);
    await close();
    expect(rounds).toBe(1);
  });
});
