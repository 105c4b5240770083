import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import type { WorkflowState } from '../../src/inbox/patrol.ts';
import type { Due } from '../../src/inbox/tables/due.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { recordNext, takeKeys } from '../store/recordings.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { entryOf, orderOf } from '../support/make.ts';
import { begin, beginPatrol, createServer, gate, Outage, untilIdle } from './dispatching.ts';

/** Creates a clock that can be put ahead. */
function createClock() {
  const clock = { aheadMs: 0 };
  const pass = (ms: number) => {
    clock.aheadMs += ms;
  };
  return { now: () => Date.now() + clock.aheadMs, pass };
}

/** Adds an event of each order, as if its workflow had been woken for it and did nothing. */
async function wakeWithoutEffect(store: Store, ids: readonly string[]): Promise<void> {
  await store.inbox.add(ids.map((id, n) => entryOf(id, n + 1)));
  await store.db.updateTable('due').set({ step: 'woken', at: store.clock(), attempts: 1 }).execute();
}

/** Records an announcement of each order. */
async function leaveUnsent(store: Store, ids: readonly string[]): Promise<void> {
  for (const id of ids) await recordNext(store, orderOf(id), []);
}

describeOnEither('the patrol', (database) => {
  it.each<[WorkflowState, readonly string[]]>([
    ['gone', ['wake a']],
    ['idle', ['wake a']],
    ['wedged', ['end a', 'wake a']],
  ])('makes a workflow due to be woken that is %s while its events wait', async (condition, expected) => {
    const store = await openIn(database);
    await wakeWithoutEffect(store, ['a']);
    const { acts, lines } = beginPatrol(store, { condition: () => condition });
    await expect.poll(() => acts).toEqual(expected);
    expect(lines).toEqual(['workflow does not process its events or announcements; waking it again']);
    await expect.poll(() => takeKeys(store)).toEqual(['order:9104:a']);
  });

  it('tells the dispatcher', async () => {
    const store = await openIn(database);
    await wakeWithoutEffect(store, ['a']);
    const server = createServer(store);
    const dispatcher = begin(store, { wake: server.wake, pollMs: 1_000_000 });
    beginPatrol(store, { onDue: dispatcher.wake });
    await untilIdle(dispatcher);
    expect(server.recorded).toEqual(['9104:1']);
  });

  it('leaves a busy workflow alone, and checks it again', async () => {
    const store = await openIn(database);
    await wakeWithoutEffect(store, ['a']);
    let looks = 0;
    const condition = () => {
      looks += 1;
      return looks < 4 ? 'busy' : 'gone';
    };
    const { acts } = beginPatrol(store, { condition });
    await expect.poll(() => acts.length).toBeGreaterThan(0);
    expect(looks).toBeGreaterThanOrEqual(4);
  });

  it('looks at no more busy workflows in a round than a page has, and at all of them in turn', async () => {
    const store = await openIn(database);
    const ids = Array.from({ length: 120 }, (_, n) => String(n));
    await leaveUnsent(store, ids);
    const pages: number[] = [];
    const takeChecks: Due['takeChecks'] = async (ageMs, limit) => {
      const page = await store.due.takeChecks(ageMs, limit);
      pages.push(page.taken);
      return page;
    };
    const looked: string[] = [];
    beginPatrol(store, {
      due: { ...store.due, takeChecks },
      stateOf: async ({ id }) => {
        looked.push(id);
        return 'busy';
      },
    });
    await expect.poll(() => looked.length).toBeGreaterThanOrEqual(120);
    expect(new Set(looked)).toEqual(new Set(ids));
    expect(Math.max(...pages)).toBe(50);
  });

  it('survives an outage of Temporal, which it leaves to others to log', async () => {
    const store = await openIn(database);
    await wakeWithoutEffect(store, ['a', 'b']);
    let calls = 0;
    const { acts, lines } = beginPatrol(store, {
      stateOf: async () => {
        calls += 1;
        if (calls <= 5) throw new Outage('away');
        return 'gone';
      },
    });
    await expect.poll(() => acts.toSorted()).toEqual(['wake a', 'wake b']);
    expect(new Set(lines)).toEqual(new Set(['workflow does not process its events or announcements; waking it again']));
  });

  it('survives any other failure, and logs it once', async () => {
    const store = await openIn(database);
    await wakeWithoutEffect(store, ['a']);
    let calls = 0;
    const repair = async () => {
      calls += 1;
      if (calls <= 5) throw new Error('broken');
    };
    const { acts, lines } = beginPatrol(store, { due: { ...store.due, repair } });
    await expect.poll(() => calls).toBeGreaterThan(5);
    expect(lines.filter((line) => line.startsWith('cannot look for'))).toHaveLength(1);
    expect(acts).toEqual([]);
    await expect.poll(() => takeKeys(store)).toEqual(['order:9104:a']);
  });

  it('looks for no workflow of subjects that this version does not follow', async () => {
    const store = await openIn(database);
    await store.inbox.add([{ ...entryOf('x', 9), subjectKey: 'planet:9104:3' }]);
    await wakeWithoutEffect(store, ['a']);
    const { acts } = beginPatrol(store, {});
    await expect.poll(() => acts).toEqual(['wake a']);
  });

  it('closes after the calls in progress, and starts no others', async () => {
    const clock = createClock();
    const store = await openIn(database, { now: clock.now });
    const ids = Array.from({ length: 40 }, (_, n) => String(n));
    await wakeWithoutEffect(store, ids);
    clock.pass(60_000);
    const hanging = gate();
    let looks = 0;
    const { close, acts } = beginPatrol(store, {
      stateOf: async () => {
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
    expect(new Set(acts).size).toBe(8);
  });
});

describe('the patrol with fake timers', () => {
  beforeEach(() => void vi.useFakeTimers({ fakeNodeBuiltins: true, toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('finds many lost workflows without waiting between rounds', async () => {
    const clock = createClock();
    const store = await openTemporaryStore({ now: clock.now });
    const ids = Array.from({ length: 210 }, (_, n) => String(n));
    await wakeWithoutEffect(store, ids);
    clock.pass(60_000);
    const { acts, close } = beginPatrol(store, {});
    for (let turns = 0; turns < 20_000 && acts.length < 210; turns += 1) await turn();
    expect(acts.toSorted()).toEqual(ids.map((id) => `wake ${id}`).toSorted());
    await close();
  });

  it('closes promptly between rounds', async () => {
    const store = await openTemporaryStore();
    let rounds = 0;
    const takeChecks: Due['takeChecks'] = async () => {
      rounds += 1;
      return { taken: 0, open: [] };
    };
    const { close } = beginPatrol(store, { due: { ...store.due, takeChecks } });
    for (let turns = 0; turns < 1000; turns += 1) await turn();
    expect(rounds).toBe(1);
    await close();
    expect(rounds).toBe(1);
  });
});
