import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createAnnouncing } from '../../activities/announce.ts';
import { record } from '../../activities/record.ts';
import { createTakingIn, type TakeInInput } from '../../activities/take-in.ts';
import { createAnnouncement } from '../../src/announce/cloud-event.ts';
import { observeBatch } from '../../src/domain/batch.ts';
import { enrich } from '../../src/domain/enrichment.ts';
import type { SignaledEvent } from '../../src/domain/event.ts';
import { unknownLifecycle } from '../../src/domain/lifecycle.ts';
import { openRetrieving } from './retrieving.ts';

const created: SignaledEvent = {
  ...{ id: '9104:1', name: 'OrderCreate', milestone: 'created', time: 1_000, plan: ['getOrder'] },
};
const allocated: SignaledEvent = {
  ...{ id: '9104:2', name: 'OrderFullyAllocated', milestone: 'fullyAllocated', time: 2_000, plan: ['getOrder'] },
};

/** Taking in on the simulated warehouse and a store in memory, with a destination that takes everything. */
async function open({
  tookMs = 0,
  ...options
}: Parameters<typeof openRetrieving>[0] & { readonly tookMs?: number } = {}) {
  const { deps: retrieving, ...opened } = await openRetrieving(options);
  const { store, subject } = opened;
  const posts: string[] = [];
  const destination = { send: async ({ id }: { id: string }) => void posts.push(id) };
  const deps = {
    ...retrieving,
    ...{ outbox: store.outbox, compose: createAnnouncement, destinationOf: () => destination },
  };
  const clock = [0, tookMs].values();
  const takingIn = createTakingIn(createAnnouncing().publish, () => clock.next().value ?? 0);
  const takeIn = ({ request, ...input }: Partial<Omit<TakeInInput, 'request'>> & { request?: { recall: true } }) => {
    const whole: TakeInInput = {
      request: { subject, plan: ['getOrder'], userIds: [], ...request },
      ...{ events: [created], lifecycle: unknownLifecycle, announce: true },
      ...input,
    };
    return new MockActivityEnvironment().run(takingIn, deps, whole) as ReturnType<typeof takingIn>;
  };
  /** Records events as another attempt would. */
  async function recordBefore(...events: readonly SignaledEvent[]) {
    const observed = observeBatch(unknownLifecycle, { kind: 'order', events, snapshot: null, now: 0 });
    await record(deps, { subject, lifecycle: observed.lifecycle, changes: enrich(subject, observed) });
    return observed.lifecycle;
  }
  const idOf = (rest: string) => `order:9104:${subject.id}/${rest}`;
  return { ...opened, posts, takeIn, recordBefore, idOf };
}

it('records and announces what a workflow observes that is told of the same', async () => {
  const { takeIn, store, subject, posts, idOf } = await open();
  const taken = await takeIn({});
  if (!('retrieved' in taken) || !taken.published) throw new Error('nothing was published');
  const { retrieved, published } = taken;
  const { snapshot } = retrieved;
  expect(snapshot).toMatchObject({ status: 'open' });
  expect(published).toEqual({ left: [], at: expect.any(Number) });
  expect(posts).toEqual([idOf('1/created')]);
  const batch = { kind: 'order', events: [created], snapshot, now: published.at } as const;
  const { lifecycle } = observeBatch(unknownLifecycle, batch);
  expect(await store.subjects.recall(subject)).toEqual({ lifecycle, unsent: [], parked: [] });
});

it('goes on from what an earlier run recorded, whose announcements go first', async () => {
  const { simulator, orderId, takeIn, recordBefore, posts, idOf } = await open();
  await simulator.emit(orderId, 'OrderFullyAllocated');
  const lifecycle = await recordBefore(created);
  expect(await takeIn({ request: { recall: true }, events: [allocated] })).toMatchObject({
    retrieved: { recollection: { lifecycle, unsent: [idOf('1/created')] } },
    published: { left: [idOf('2/fullyAllocated')] },
  });
  expect(posts).toEqual([]);
});

it('only records where something older waits to be announced', async () => {
  const { takeIn, posts, idOf } = await open();
  expect(await takeIn({ announce: false })).toMatchObject({ published: { left: [idOf('1/created')] } });
  expect(posts).toEqual([]);
});

it('says what stands where something else was recorded before', async () => {
  const { takeIn, recordBefore, posts } = await open();
  const lifecycle = await recordBefore(allocated);
  expect(await takeIn({})).toMatchObject({ published: { left: [], overtaken: { lifecycle } } });
  expect(posts).toEqual([]);
});

it('publishes nothing where nothing has changed', async () => {
  const { takeIn, recordBefore } = await open();
  const lifecycle = await recordBefore(created);
  expect(await takeIn({ lifecycle })).toEqual({ retrieved: expect.anything() });
});

it('leaves it all to others where the warehouse fails', async () => {
  const { takeIn, store, subject } = await open({ faults: { errorRate: 1 } });
  expect(await takeIn({})).toEqual({ waitMs: 0 });
  expect(await store.subjects.recall(subject)).toBeUndefined();
});

it('leaves publishing to others where retrieving took long', async () => {
  const { takeIn, store, subject } = await open({ tookMs: 501 });
  expect(await takeIn({})).toEqual({ retrieved: expect.anything() });
  expect(await store.subjects.recall(subject)).toBeUndefined();
});

it('leaves publishing to others where the store fails', async () => {
  const { takeIn, store, posts } = await open();
  await store.db.schema.dropTable('announcements').execute();
  expect(await takeIn({})).toEqual({ retrieved: expect.anything() });
  expect(posts).toEqual([]);
});
