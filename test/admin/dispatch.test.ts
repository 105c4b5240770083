import { expect, it } from 'vitest';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { openAdmin } from './open-admin.ts';

const entry = (n: number) => ({
  ...{ eventId: `9104:${n}`, endpoint: 'warehouse', tenant: '9104', subjectKey: 'order:9104:31' },
  event: {
    ...({ id: `9104:${n}`, tenant: '9104', name: 'OrderUpdate', subject: 'order', subjectId: '31', time: n } as const),
  },
  receivedAt: n,
  body: Buffer.from('{}'),
});

describeOnBoth('dispatched events', (database) => {
  it('wait again where they were dispatched since a time, and no others do', async () => {
    let now = Date.now() - 10_000;
    const store = await openIn(database, { now: () => now });
    await store.inbox.add(Array.from({ length: 450 }, (_, n) => entry(n)));
    const since = new Date(now + 5_000).toISOString();
    await store.inbox.claim('order:9104:31', async (rows) => {
      const waiting = await rows.waiting(500);
      await rows.markDispatched(waiting.slice(0, 40).map(({ id }) => id));
      now += 6_000;
      await rows.markDispatched(waiting.slice(40).map(({ id }) => id));
    });
    expect(store.inbox.waiting()).toBe(0);
    const { post } = await openAdmin({ store });
    expect(await post('/events/dispatch', { since })).toMatchObject({ status: 200, body: { dispatched: 410 } });
    expect(store.inbox.waiting()).toBe(410);
    expect(await post('/events/dispatch', { since })).toMatchObject({ body: { dispatched: 0 } });
    expect(await post('/events/dispatch', {})).toMatchObject({ status: 400 });
  });
});
