import { describe, expect, it } from 'vitest';
import { unknownLifecycle } from '../../src/domain/lifecycle.ts';
import { createAnnouncementLists } from '../../src/store/admin-announcements.ts';
import type { Store } from '../../src/store/store.ts';
import { entryOf, parkedEntry } from '../inbox/entries.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';

const at = Date.UTC(2026, 1, 11);
let minutes = 0;
const now = () => at + minutes * 60_000;

/** Opens a store at the beginning of its time. */
async function open(database: Parameters<typeof openIn>[0]): Promise<Store> {
  minutes = 0;
  return await openIn(database, { now });
}

/** Makes announcements of an order, one a minute. */
async function make({ subjects }: Store, id: string, milestones: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, milestone] of milestones.entries()) {
    const revision = index + 1;
    const announcement = {
      id: `order:9104:${id}/${revision}/${milestone}`,
      revision,
      body: `{"name":"Jane ${revision}"}`,
    };
    await subjects.record({ tenant: '9104', kind: 'order', id }, { ...unknownLifecycle, revision }, [announcement]);
    ids.push(announcement.id);
    minutes += 1;
  }
  return ids;
}

const idsOf = (items: readonly unknown[]) => items.map((item) => (item as { id: string }).id);

describeOnBoth('announcements', (database) => {
  it('are listed by state and time, page by page, without bodies', async () => {
    const store = await open(database);
    const [sent = '', parked = '', unsent = '', late = ''] = await make(store, '31', [
      'created',
      'picked',
      'packed',
      'confirmed',
    ]);
    await store.outbox.park([parked, late], 'answered 503');
    await store.outbox.markSent([sent]);
    await store.outbox.markSent([late]);
    const { all, get } = await openAdmin({ store });
    for (const limit of [1, 3, 4])
      expect(idsOf(await all('/announcements', limit))).toEqual([sent, parked, unsent, late]);
    expect(idsOf(await all('/announcements?state=sent', 1))).toEqual([sent, late]);
    expect(idsOf(await all('/announcements?state=unsent', 1))).toEqual([unsent]);
    expect(await all('/announcements?state=parked', 1)).toEqual([
      {
        ...{ id: parked, subject: 'order:9104:31', revision: 2, state: 'parked', parkedReason: 'answered 503' },
        ...{ createdAt: '2026-02-11T00:01:00.000Z', sentAt: null, parkedAt: '2026-02-11T00:04:00.000Z' },
      },
    ]);
    expect(idsOf(await all('/announcements?since=2026-02-11T00:02:00Z', 1))).toEqual([unsent, late]);
    expect(await all('/announcements?state=parked&since=2026-02-11T00:04:00Z', 1)).toHaveLength(1);
    expect(await all('/announcements?state=parked&since=2026-02-11T00:05:00Z', 1)).toEqual([]);
    expect(JSON.stringify((await get('/announcements')).body)).not.toContain('Jane');
  });

  it('are shown with the bytes that are sent', async () => {
    const store = await open(database);
    const [id] = await make(store, '31', ['created']);
    const { get } = await openAdmin({ store });
    expect((await get(`/announcements/${id}`)).body).toMatchObject({ id, state: 'unsent', body: '{"name":"Jane 1"}' });
    expect(await get('/announcements/order:9104:31/2/created')).toMatchObject({ status: 404 });
  });

  it('are asked for again by subject and in their order, whatever their ids sort like', async () => {
    const store = await open(database);
    const many = await make(
      store,
      '31',
      Array.from({ length: 12 }, () => 'updated'),
    );
    const others = await make(store, '32', ['created']);
    await store.outbox.park([...many, ...others], 'answered 503');
    const lists = createAnnouncementLists(store);
    const first = await lists.parkedSince(at, { limit: 7 });
    const last = first.at(-1);
    const after = last && { ...last.subject, revision: last.revision };
    const second = await lists.parkedSince(at, { limit: 7, ...(after && { after }) });
    expect(idsOf([...first, ...second])).toEqual([...many, ...others]);
    minutes += 1;
    expect(await lists.parkedSince(now(), { limit: 7 })).toEqual([]);
  });

  it('are not sent again when they were acknowledged, nor while Temporal is away', async () => {
    const store = await open(database);
    const [sent = '', parked = ''] = await make(store, '31', ['created', 'picked']);
    await store.outbox.markSent([sent]);
    const { post } = await openAdmin({ store });
    expect(await post(`/announcements/${sent}/resend`)).toMatchObject({
      status: 409,
      body: { detail: 'The destination has acknowledged it.' },
    });
    expect(await post('/announcements/order:9104:99/1/created/resend')).toMatchObject({ status: 404 });
    expect(await post('/announcements/resend', { since: '2026-02-11T00:00:00Z' })).toMatchObject({
      ...{ status: 202, body: { asked: 0, next: null } },
    });
    await store.outbox.park([parked], 'answered 503');
    const body = { since: '2026-02-11T00:00:00Z' };
    expect(await post('/announcements/resend', body)).toMatchObject({ status: 503 });
  });
});

describeOnBoth('the status', (database) => {
  it('counts what waits, what is parked and where subjects stand, even while Temporal is away', async () => {
    const store = await open(database);
    const [sent = '', parked = '', ,] = await make(store, '31', ['created', 'picked', 'packed']);
    const more = await make(store, '32', ['created']);
    await store.outbox.markSent([sent]);
    await store.outbox.park([parked, ...more], 'answered 503');
    await store.inbox.add([parkedEntry('1'), parkedEntry('2', 'rare'), parkedEntry('3'), entryOf('31', 4)]);
    const { get } = await openAdmin({ store });
    expect((await get('/status')).body).toEqual({
      inbox: {
        ...{ waiting: 1, parked: 3 },
        parkedByReason: [
          expect.objectContaining({ reason: 'unknown event "X"', count: 2 }),
          expect.objectContaining({ reason: 'rare', count: 1 }),
        ],
      },
      announcements: { unsent: 1, parked: 2 },
      subjects: [{ kind: 'order', stage: 'created', count: 2 }],
      attention: { stalled: 0, unannounced: 2, refused: null },
    });
  });
});

describe('what is asked for wrongly', () => {
  it.each([
    ['/announcements?state=lost', /^state: /],
    ['/announcements?since=yesterday', /^since: must be a time like 2026-02-11T10:00:00Z$/],
    ['/announcements?after=somewhere', /^after: must be the "next" of an earlier page$/],
    ['/announcements?subject=order', /"subject"/],
  ])('%s is refused with the reason', async (path, detail) => {
    const { get, post } = await openAdmin({ store: await openTemporaryStore() });
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(body.detail).toMatch(detail);
    expect(await post('/announcements/resend')).toMatchObject({ status: 400 });
  });
});
