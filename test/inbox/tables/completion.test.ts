import { expect, it } from 'vitest';
import type { Store } from '../../../src/app/store.ts';
import type { WarehouseEvent } from '../../../src/domain/catalogue/event.ts';
import { findBody } from '../../../src/inbox/tables/quarantined.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { observe } from '../../store/recordings.ts';
import { entryOf, order, orderOf } from '../../support/make.ts';

const known = entryOf('1', 1);

const reported = (text: string, event: Partial<WarehouseEvent> = {}) => ({
  ...known,
  body: Buffer.from(text),
  event: { ...(known.event as WarehouseEvent), ...event },
});

const thin = reported('{"thin":1}', { userId: '7' });
const rich = reported('{"resource":{"body":{}}}', { carriesResource: true, pickJobId: '8' });

const waiting = async ({ subjects, db }: Store) => {
  const { events } = await subjects.load(order, 10);
  return {
    events: events.map(({ json }) => JSON.parse(json)),
    body: Buffer.from((await findBody(db, known.eventId)) ?? '').toString(),
  };
};

const whole = {
  events: [{ ...rich.event, ...thin.event }],
  body: '{"resource":{"body":{}}}',
};

describeOnBoth('a repeated delivery of an event that waits', (database) => {
  it.each([
    ['in two calls', [[thin], [rich]]],
    ['in two calls, the richer first', [[rich], [thin]]],
    ['in one call', [[thin, rich]]],
    ['in one call, the richer first', [[rich, thin]]],
    ['again and again', [[thin], [rich], [thin], [rich]]],
  ])('completes it, %s', async (_name, calls) => {
    const store = await openIn(database);
    for (const entries of calls) await store.inbox.add(entries);
    expect(await waiting(store)).toEqual(whole);
    expect(store.inbox.waiting()).toBe(1);
  });

  it.each([
    ['after one that says nothing new', [thin, { ...thin }, rich]],
    ['before one that says nothing new', [thin, rich, { ...thin }]],
    ['in two that each say more', [reported('{}'), thin, rich]],
  ])('completes it among several of one call, %s', async (_name, entries) => {
    const store = await openIn(database);
    await store.inbox.add(entries);
    expect(await waiting(store)).toEqual(whole);
  });

  const longer = (body: string) => reported(`{"resource":{"body":${body}},"links":"${'-'.repeat(99)}"}`);
  const poorer = [
    ['without it', reported(`{"links":"${'-'.repeat(99)}"}`)],
    ['with null in its place', longer('null')],
    ['with an error in its place', longer('{"ErrorCode":"Timeout"}')],
  ] as const;

  it.each(
    poorer.flatMap(([what, copy]) => [
      [`${what}, after it`, [[rich], [copy]]] as const,
      [`${what}, before it`, [[copy], [rich]]] as const,
      [`${what}, together`, [[rich, copy, { ...copy }]]] as const,
    ]),
  )('keeps the record that it has, against a longer copy %s', async (_name, calls) => {
    const store = await openIn(database);
    for (const entries of calls) await store.inbox.add(entries);
    expect(await waiting(store)).toEqual({ events: [rich.event], body: whole.body });
  });

  it('keeps the amounts of stock, against a longer copy without any', async () => {
    const store = await openIn(database);
    const shown = { facilityId: '12', levels: { onHand: 7 } };
    const row = reported('{"onHand":7}', { shown });
    await store.inbox.add([row]);
    await store.inbox.add([reported('{"ErrorCode":"Timeout","FacilityId":12}', { shown: { ...shown, levels: {} } })]);
    expect(await waiting(store)).toEqual({ events: [row.event], body: '{"onHand":7}' });
  });

  it('lets length decide between two with the record', async () => {
    const store = await openIn(database);
    await store.inbox.add([rich]);
    const longest = reported('{"resource":{"body":{"referenceNum":"OR1"}}}', { carriesResource: true });
    await store.inbox.add([longest]);
    expect((await waiting(store)).body).toBe(longest.body.toString());
  });

  it('counts as a duplicate', async () => {
    const { inbox } = await openIn(database);
    expect(await inbox.add([thin])).toEqual([true]);
    expect(await inbox.add([rich])).toEqual([false]);
  });

  it('merges what both show of the subject', async () => {
    const store = await openIn(database);
    await store.inbox.add([reported('{}', { shown: { onHold: true } })]);
    await store.inbox.add([reported('{"body":1}', { shown: { onHold: true, referenceNumber: 'TEA' } })]);
    expect((await waiting(store)).events).toMatchObject([{ shown: { onHold: true, referenceNumber: 'TEA' } }]);
  });

  it('that names another subject or another event is an event of its own, once', async () => {
    const store = await openIn(database);
    const elsewhere = { ...rich, subjectKey: 'order:9104:2', event: { ...rich.event, subjectId: '2' } };
    const confirmed = reported('{"confirmed":true}', { name: 'OrderConfirm' });
    expect(await store.inbox.add([thin])).toEqual([true]);
    expect(await store.inbox.add([elsewhere, confirmed])).toEqual([true, true]);
    expect(await store.inbox.add([elsewhere, confirmed, thin])).toEqual([false, false, false]);
    expect(store.inbox.waiting()).toBe(3);
    const { events } = await store.subjects.load(order, 10);
    expect(events.map(({ json }) => JSON.parse(json).name)).toEqual(['OrderUpdate', 'OrderConfirm']);
    const other = (await store.subjects.load(orderOf('2'), 10)).events.map(({ json }) => JSON.parse(json));
    expect(other).toMatchObject([{ subjectId: '2', id: expect.stringMatching(/^9104:sha256:/) }]);
  });

  it('together with another of its id, of which one is written first, is none the less', async () => {
    const store = await openIn(database);
    const elsewhere = { ...rich, subjectKey: 'order:9104:2', event: { ...rich.event, subjectId: '2' } };
    expect(await store.inbox.add([thin, elsewhere])).toEqual([true, true]);
    expect(store.inbox.waiting()).toBe(2);
  });

  it('gives its message to one that was recorded, which stays recorded', async () => {
    const store = await openIn(database);
    await store.inbox.add([thin]);
    await observe(store, '1');
    await store.inbox.add([rich]);
    expect(Buffer.from((await findBody(store.db, known.eventId)) ?? []).toString()).toBe(whole.body);
    expect(store.inbox.waiting()).toBe(0);
  });

  it.each<[string, Partial<WarehouseEvent>, string | null]>([
    ['its own', { names: '418' }, '418'],
    ['another', { names: '77' }, null],
    ['several', { disputed: true }, null],
    ['none', {}, '418'],
  ])(
    'leaves one that was recorded to its customer unless its new message names another: %s',
    async (_name, names, left) => {
      const store = await openIn(database);
      await store.inbox.add([thin]);
      await observe(store, '1');
      await store.db.updateTable('inbox').set({ customer_id: '418' }).execute();
      await store.inbox.add([{ ...rich, event: { ...rich.event, ...names } }]);
      expect(await store.db.selectFrom('inbox').select('customer_id').execute()).toEqual([{ customer_id: left }]);
    },
  );
});
