import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import type { Store, StoreLocation } from '../../src/app/store.ts';
import type { WaitingEvent } from '../../src/domain/decision.ts';
import { announcementOf, decisionOf, entryOf, lifecycleAt, order, orderOf } from '../support/make.ts';
import { describeOnAll, openIn } from './databases.ts';
import { recordNext } from './recordings.ts';

const idsOf = (events: readonly WaitingEvent[]) => events.map(({ id }) => id);
const numbered = (numbers: readonly number[]) => numbers.map((n) => `9104:${n}`);

/** Reads everything that a recording may change. */
const tablesOf = async ({ db, inbox }: Pick<Store, 'db' | 'inbox'>) => ({
  waiting: inbox.waiting(),
  inbox: await db.selectFrom('inbox').selectAll().orderBy('id').execute(),
  subjects: await db.selectFrom('subjects').selectAll().execute(),
  announcements: await db.selectFrom('announcements').selectAll().orderBy('id').execute(),
  due: await db.selectFrom('due').selectAll().execute(),
  resources: await db.selectFrom('resources').selectAll().execute(),
});

describeOnAll('a recording', (database) => {
  it('observes events in the order of the inbox', async () => {
    const store = await openIn(database, { now: () => 5000 });
    await store.inbox.add([30, 5, 20].map((n) => entryOf('1', n)));
    const { decision } = await store.subjects.record(order, numbered([5, 20, 30]), async ({ saved, events }) => {
      expect(saved).toBeUndefined();
      expect(events).toEqual(
        [30, 5, 20].map((n) => ({ id: `9104:${n}`, json: JSON.stringify(entryOf('1', n).event) })),
      );
      return { ...decisionOf(), more: idsOf(events) };
    });
    expect(decision).toEqual({ ...decisionOf(), more: numbered([30, 5, 20]) });
    const rows = await store.db.selectFrom('inbox').select('observed_at').execute();
    expect(rows).toEqual([5000, 5000, 5000].map((observed_at) => ({ observed_at })));
    expect(store.inbox.waiting()).toBe(0);
    expect((await store.subjects.load(order, 10)).events).toEqual([]);
  });

  it('leaves out events that are observed, quarantined or unknown', async () => {
    const store = await openIn(database);
    await store.inbox.add([1, 2, 3].map((n) => entryOf('1', n)));
    await recordNext(store, order, ['9104:1']);
    await store.inbox.quarantine(['9104:2'], { code: 'unrecordable', message: 'because' });
    await store.subjects.record(order, numbered([1, 2, 3, 4]), async ({ saved, events }) => {
      expect(saved?.lifecycle).toEqual(lifecycleAt(1));
      expect(idsOf(events)).toEqual(['9104:3']);
      return decisionOf();
    });
    expect(await createSummary(store).quarantined()).toEqual([{ reason: 'cannot be recorded: because', count: 1 }]);
    expect(store.inbox.waiting()).toBe(0);
  });

  it('can read bodies and store resources', async () => {
    const { subjects, inbox, resources } = await openIn(database);
    const body = Buffer.from(JSON.stringify({ notes: 'é'.repeat(1000) }));
    await inbox.add([entryOf('1', 1), { ...entryOf('1', 2), body }]);
    await resources.put('9104', 'user', '5', 'before');
    await subjects.record(order, ['9104:1', '9104:2'], async (recording) => {
      expect(Buffer.from((await recording.bodyOf('9104:1')) ?? [])).toEqual(entryOf('1', 1).body);
      expect(Buffer.from((await recording.bodyOf('9104:2')) ?? [])).toEqual(body);
      expect(await recording.bodyOf('9104:3')).toBeUndefined();
      expect((await recording.resources.find('9104', 'user', '5'))?.body).toBe('before');
      await recording.resources.put('9104', 'order', '1', 'beside');
      return decisionOf();
    });
    expect((await resources.find('9104', 'order', '1'))?.body).toBe('beside');
  });

  it('is rolled back if the decision fails, for its subject only', async () => {
    const store = await openIn(database);
    await recordNext(store, order, []);
    await store.inbox.add([entryOf('1', 1), entryOf('2', 2)]);
    await store.due.takeWakes(10);
    const before = await tablesOf(store);
    const failure = new Error('undecided');
    const failing = () =>
      store.subjects.record(order, ['9104:1'], async ({ events, resources }) => {
        expect(idsOf(events)).toEqual(['9104:1']);
        await resources.put('9104', 'order', '1', 'half');
        throw failure;
      });
    await expect(failing()).rejects.toBe(failure);
    expect(await tablesOf(store)).toEqual(before);
    const settled = await Promise.allSettled([failing(), recordNext(store, orderOf('2'), ['9104:2'])]);
    expect(settled).toMatchObject([{ status: 'rejected', reason: failure }, { status: 'fulfilled' }]);
    expect((await store.subjects.load(orderOf('2'), 10)).saved?.lifecycle.revision).toBe(1);
    expect(idsOf((await store.subjects.load(order, 10)).events)).toEqual(['9104:1']);
  });

  it('is rolled back if an announcement cannot be written', async () => {
    const store = await openIn(database);
    await recordNext(store, orderOf('2'), []);
    await store.inbox.add([entryOf('1', 1)]);
    const before = await tablesOf(store);
    const taken = { ...announcementOf(1), id: announcementOf(1, orderOf('2')).id };
    await expect(
      store.subjects.record(order, ['9104:1'], async () => decisionOf({ announcements: [announcementOf(2), taken] })),
    ).rejects.toThrow(/unique/i);
    expect(await tablesOf(store)).toEqual(before);
  });

  it('is rolled back while the store cannot be written, and reports that by its error code', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1)]);
    const before = await tablesOf(store);
    const large = { ...announcementOf(1), body: 'x'.repeat(100_000) };
    const record = () => store.subjects.record(order, ['9104:1'], async () => decisionOf({ announcements: [large] }));
    const release = await database.refuseWrites(store);
    await expect(record()).rejects.toMatchObject({ name: 'DocklineError', code: 'ERR_STORE_UNAVAILABLE' });
    await release();
    expect(await tablesOf(store)).toEqual(before);
    await record();
    expect(await store.subjects.unsent(order)).toEqual({ default: [large.id] });
    expect(store.inbox.waiting()).toBe(0);
  });

  it('is rolled back if its process is killed, and can be repeated by another', async () => {
    const location = await database.locate();
    const first = await openIn(database, { location });
    await first.inbox.add([entryOf('1', 1)]);
    await first.due.takeWakes(10);
    const before = await tablesOf(first);
    await first.close();
    await recordAndDie(location, ['1', '9104:1']);
    const second = await openIn(database, { location });
    expect(await tablesOf(second)).toEqual(before);
    await recordNext(second, order, ['9104:1']);
    expect(await second.subjects.unsent(order)).toMatchObject({ default: { length: 1 } });
  });

  it('yields a gapless sequence of concurrent ones, each event in one of them', async () => {
    const store = await openIn(database);
    await store.inbox.add(Array.from({ length: 40 }, (_, n) => entryOf('1', n)));
    const batches = Array.from({ length: 20 }, (_, n) => numbered([2 * n, 2 * n + 1, (2 * n + 2) % 40]));
    const seen: string[] = [];
    await Promise.all(
      batches.map(async (ids) => {
        const recorded = await store.subjects.record(order, ids, async ({ saved, events }) => {
          const revision = (saved?.lifecycle.revision ?? 0) + 1;
          const announcements = [announcementOf(revision)];
          return { ...decisionOf({ lifecycle: lifecycleAt(revision), announcements }), ids: idsOf(events) };
        });
        seen.push(...recorded.decision.ids);
      }),
    );
    expect(seen.toSorted()).toEqual(numbered(Array.from({ length: 40 }, (_, n) => n)).toSorted());
    expect(await store.subjects.unsent(order)).toEqual({
      default: Array.from({ length: 20 }, (_, n) => announcementOf(n + 1).id),
    });
    expect(store.inbox.waiting()).toBe(0);
  });
});

/** Starts a recording in another process and kills it. */
async function recordAndDie(location: StoreLocation, orderAndEvents: readonly string[]): Promise<void> {
  const script = fileURLToPath(new URL('../support/record-and-hang.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(location), ...orderAndEvents], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  expect(String(said)).toBe(`${orderAndEvents.length - 1}\n`);
  child.kill('SIGKILL');
  await once(child, 'exit');
}
