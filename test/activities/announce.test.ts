import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAnnouncing, type PublishInput } from '../../activities/announce.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { createAnnouncement } from '../../src/announce/cloud-event.ts';
import type { SignaledEvent } from '../../src/domain/event.ts';
import { unknownLifecycle } from '../../src/domain/lifecycle.ts';
import { observe } from '../../src/domain/observe.ts';
import { openStore } from '../../src/store/store.ts';

const ids = ['order:1:31/1/created', 'order:1:31/2/packed'];

/** An outbox in memory, and a destination that answers when it is told to. */
function open() {
  const sent = new Set<string>();
  const posts: string[] = [];
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  const deps = {
    outbox: {
      unsent: async (asked: string[]) =>
        asked.filter((id) => !sent.has(id)).map((id) => ({ id, revision: 1, body: '{}' })),
      markSent: async (acknowledged: string[]) => {
        for (const id of acknowledged) sent.add(id);
      },
    },
    destinationOf: () => ({
      send: async ({ id }: { id: string }, signal: AbortSignal) => {
        posts.push(id);
        const answer = Promise.withResolvers<void>();
        answers.push(answer as (typeof answers)[number]);
        signal.addEventListener('abort', () => answer.reject(signal.reason));
        await answer.promise;
      },
    }),
  } as unknown as ActivityDeps;
  const { announce, announceAtOnce } = createAnnouncing();
  const attempt = () => {
    const environment = new MockActivityEnvironment();
    return { environment, done: environment.run(announce, deps, { tenant: '1', ids }) };
  };
  const attemptAtOnce = () => announceAtOnce(deps, { tenant: '1', ids });
  return { posts, answers, attempt, attemptAtOnce };
}

describe('announcing', () => {
  it('sends each announcement once it is its turn', async () => {
    const { posts, answers, attempt } = open();
    const { done } = attempt();
    await expect.poll(() => posts).toEqual([ids[0]]);
    answers[0]?.resolve();
    await expect.poll(() => posts).toEqual(ids);
    answers[1]?.resolve();
    await done;
  });

  it('leaves what is not taken at once, and takes up later what it has begun', async () => {
    const { posts, answers, attempt, attemptAtOnce } = open();
    const left = attemptAtOnce();
    await expect.poll(() => posts).toEqual([ids[0]]);
    expect(await left).toEqual(ids);
    const { done } = attempt();
    answers[0]?.resolve();
    await expect.poll(() => posts).toEqual(ids);
    answers[1]?.resolve();
    await done;
    expect(posts).toEqual(ids);
  });

  it('leaves what follows on what is refused at once', async () => {
    const { posts, answers, attemptAtOnce } = open();
    const left = attemptAtOnce();
    await expect.poll(() => posts).toEqual([ids[0]]);
    answers[0]?.resolve();
    await expect.poll(() => posts).toEqual(ids);
    answers[1]?.reject(new Error('answered 503'));
    expect(await left).toEqual([ids[1]]);
  });

  it('leaves nothing where everything is taken at once', async () => {
    const { answers, posts, attemptAtOnce } = open();
    const left = attemptAtOnce();
    for (const [index] of ids.entries()) {
      await expect.poll(() => posts).toHaveLength(index + 1);
      answers[index]?.resolve();
    }
    expect(await left).toEqual([]);
  });

  it('ends its sending when it is canceled, so that the next run can send', async () => {
    const { posts, attempt } = open();
    const { environment, done } = attempt();
    await expect.poll(() => posts).toEqual([ids[0]]);
    environment.cancel();
    await expect(done).rejects.toThrow();
  });

  it('sends again what failed', async () => {
    const { posts, answers, attempt } = open();
    const first = attempt();
    await expect.poll(() => posts).toHaveLength(1);
    answers[0]?.reject(new Error('answered 503'));
    await expect(first.done).rejects.toThrow('answered 503');
    void attempt().done.catch(() => undefined);
    await expect.poll(() => posts).toEqual([ids[0], ids[0]]);
  });
});

const subject = { tenant: '9104', kind: 'hold', id: '880' } as const;

const placed: SignaledEvent = {
  ...{ id: '9104:1', name: 'InventoryPlaceOnHold', milestone: 'placedOnHold', time: 1, plan: [] },
};
const released: SignaledEvent = {
  ...{ id: '9104:2', name: 'InventoryReleaseFromHold', milestone: 'releasedFromHold', time: 2, plan: [] },
};

/** What a run that has just begun makes of events. */
function recordingOf(...events: readonly SignaledEvent[]) {
  const { lifecycle, changes } = observe(unknownLifecycle, events, null);
  return { subject, lifecycle, changes: changes.map((change) => ({ change, resources: {} })) };
}

/** Publishing from a store in memory, whose marks are noted, to a destination that takes all but the refused. */
async function openPublishing({ refused = [] }: { readonly refused?: readonly string[] } = {}) {
  const store = await openStore({ file: ':memory:' });
  onTestFinished(() => store.close());
  const posts: string[] = [];
  const marks: (readonly string[])[] = [];
  const deps = {
    ...{ subjects: store.subjects, resources: store.resources, compose: createAnnouncement },
    outbox: {
      ...store.outbox,
      markSent: async (acknowledged: readonly string[]) => {
        marks.push(acknowledged);
        await store.outbox.markSent(acknowledged);
      },
    },
    destinationOf: () => ({
      send: async ({ id }: { id: string }) => {
        posts.push(id);
        if (refused.includes(id)) throw new Error('answered 503');
      },
    }),
  } as unknown as ActivityDeps;
  const { publish } = createAnnouncing();
  const unsent = async () => (await store.subjects.recall(subject))?.unsent;
  return { posts, marks, unsent, publish: (input: PublishInput) => publish(deps, input) };
}

const [held, freed] = ['hold:9104:880/1/placedOnHold', 'hold:9104:880/2/releasedFromHold'];

describe('publishing', () => {
  it('records and announces, and marks in one go what was acknowledged', async () => {
    const { posts, marks, unsent, publish } = await openPublishing();
    expect(await publish({ ...recordingOf(placed, released), announce: true })).toEqual({ left: [] });
    expect(posts).toEqual([held, freed]);
    expect(marks).toEqual([[held, freed]]);
    expect(await unsent()).toEqual([]);
  });

  it('only records where it may not announce, and says what is left', async () => {
    const { posts, unsent, publish } = await openPublishing();
    expect(await publish({ ...recordingOf(placed, released), announce: false })).toEqual({ left: [held, freed] });
    expect(posts).toEqual([]);
    expect(await unsent()).toEqual([held, freed]);
  });

  it('leaves what the destination did not take, and what follows on it', async () => {
    const { posts, marks, unsent, publish } = await openPublishing({ refused: [freed] });
    expect(await publish({ ...recordingOf(placed, released), announce: true })).toEqual({ left: [freed] });
    expect(posts).toEqual([held, freed]);
    expect(marks).toEqual([[held]]);
    expect(await unsent()).toEqual([freed]);
  });

  it('announces once what it is told to publish twice', async () => {
    const { posts, publish } = await openPublishing();
    for (let time = 0; time < 2; time += 1) {
      expect(await publish({ ...recordingOf(placed), announce: true })).toEqual({ left: [] });
    }
    expect(posts).toEqual([held]);
  });

  it('announces nothing where something else was recorded before, and says what stands', async () => {
    const { posts, unsent, publish } = await openPublishing();
    const { lifecycle, ...standing } = recordingOf(placed);
    await publish({ ...standing, lifecycle, announce: false });
    expect(await publish({ ...recordingOf(released), announce: true })).toEqual({
      left: [],
      overtaken: { lifecycle, unsent: [held], parked: [] },
    });
    expect(posts).toEqual([]);
    expect(await unsent()).toEqual([held]);
  });

  it('has nothing to mark where nothing was taken or nothing was to be announced', async () => {
    const { posts, marks, publish } = await openPublishing({ refused: [held] });
    expect(await publish({ ...recordingOf(), announce: true })).toEqual({ left: [] });
    expect(await publish({ ...recordingOf(placed), announce: true })).toEqual({ left: [held] });
    expect([posts, marks]).toEqual([[held], []]);
  });
});
