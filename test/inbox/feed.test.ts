import { expect, it } from 'vitest';
import { planEvent } from '../../src/domain/catalogue/event.ts';
import { createFeed, createInbox } from '../../src/inbox/inbox.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { orderOf } from '../support/make.ts';

const found = (n: number) => ({
  event: {
    id: `reconciliation:${n}`,
    name: 'Reconciliation',
    time: n,
    ...({ tenant: '9104', subject: 'order', subjectId: '31004581', missing: true } as const),
  },
  evidence: { n },
});

describeOnEither('an event of the feed', (database) => {
  it('waits in the inbox like a delivery, and asks for a retrieval of its subject', async () => {
    const store = await openIn(database);
    const woken: string[] = [];
    const inbox = createInbox({ rows: store.inbox, limit: 10, onWaiting: () => void woken.push('woken') });
    expect(await createFeed({ inbox })([found(1), found(2)])).toEqual([true, true]);
    expect(woken).toEqual(['woken']);
    const { events: rows } = await store.subjects.load(orderOf('31004581'), 10);
    const events = rows.map(({ json }) => planEvent(JSON.parse(json)));
    expect(events).toEqual([found(1), found(2)].map(({ event }) => planEvent(event)));
    expect(events[0]).toMatchObject({ milestone: null, plan: ['getOrder'], missing: true });
  });

  it('is new once', async () => {
    const store = await openIn(database);
    const feed = createFeed({ inbox: createInbox({ rows: store.inbox, limit: 10 }) });
    expect(await feed([found(1), found(1)])).toEqual([true, false]);
    expect(await feed([found(1), found(2)])).toEqual([false, true]);
    expect(await feed([])).toEqual([]);
  });

  it('is refused if the inbox is full', async () => {
    const store = await openIn(database);
    const feed = createFeed({ inbox: createInbox({ rows: store.inbox, limit: 1 }) });
    await expect(feed([found(1), found(2)])).rejects.toThrow('The inbox is full');
  });
});
