import { expect, it } from 'vitest';
import type { Store } from '../../../src/app/store.ts';
import { createPlacesOf } from '../../../src/domain/catalogue/properties.ts';
import { createOverview } from '../../../src/health/views/now/read.ts';
import { readSubject } from '../../../src/subjects/views/subject/read.ts';
import { record, refOf } from '../../destinations/record.ts';
import { describeOnEither, openIn } from '../../store/databases.ts';
import { freshReadings } from '../../store/fresh-readings.ts';
import { observe } from '../../store/recordings.ts';
import { entryOf, quarantinedEntry, toDefault } from '../../support/make.ts';

const at = Date.UTC(2026, 1, 11, 12);
const HOUR = 3_600_000;
const order = (id: string) => `order:9104:${id}`;
const observedAt = (time: number) => ({ time, eventId: null });

/** Records an order that is picked since a time. */
const picked = (store: Store, id: string, stageSince: number) =>
  record(store, order(id), {
    stageSince,
    registers: { pick: { milestone: 'picked', ...observedAt(stageSince) } },
    snapshot: { referenceNumber: `PO-${id}`, customerId: '418' },
  });

const confirmed = (store: Store, id: string, stageSince: number) =>
  record(store, order(id), {
    stageSince,
    registers: { closing: { milestone: 'confirmed', ...observedAt(stageSince) } },
  });

describeOnEither('the board', (database) => {
  const open = async () => {
    const store = await openIn(database, { now: () => at });
    return { store, overview: createOverview({ ...store, ...freshReadings(store) }) };
  };

  it('counts orders by stage with the oldest, and those that ended for a day', async () => {
    const { store, overview } = await open();
    await picked(store, '1', at - 2 * HOUR);
    await picked(store, '2', at - 5 * HOUR);
    await confirmed(store, '3', at - HOUR);
    await confirmed(store, '4', at - 25 * HOUR);
    await record(store, 'receipt:9104:5');
    const { open: stages, ended, others } = await overview();
    const inStage = (name: string) => stages.find(({ stage }) => stage === name);
    expect(inStage('picked')).toMatchObject({ count: 2, isMore: false, since: at - 5 * HOUR });
    expect(inStage('packed')).toMatchObject({ count: 0, since: null });
    expect(inStage('confirmed')).toBeUndefined();
    expect(ended.filter(({ count }) => count > 0)).toMatchObject([{ stage: 'confirmed', count: 1 }]);
    expect(others.filter(({ count }) => count > 0)).toMatchObject([{ kind: 'receipt', count: 1 }]);
  });

  it('shows what needs attention first, what is quarantined and dead-lettered, and when tenants were heard of', async () => {
    const { store, overview } = await open();
    expect(await overview()).toMatchObject({
      attention: { count: 0 },
      quarantined: { count: 0, since: null },
      tenants: [],
      waiting: { count: 0, isMore: false, since: null },
    });
    const [announcement = ''] = await picked(store, '1', at - HOUR);
    await record(store, order('2'), {
      stageSince: at - 3 * HOUR,
      refused: [{ operation: 'getOrder', message: 'GET answered 404', since: at }],
    });
    await store.outbox.deadLetter(toDefault(announcement), 'answered 503');
    await store.inbox.add([
      quarantinedEntry('1'),
      { ...entryOf('1', 7), tenant: '9000' },
      entryOf('1', 8),
      entryOf('2', 9),
    ]);
    const shown = await overview();
    expect(shown.attention).toMatchObject({ count: 2, isMore: false });
    expect(shown).toMatchObject({
      quarantined: { count: 1, since: 1 },
      outgoing: { deadLetters: { count: 1, since: at }, unsent: { count: 1 } },
      waiting: { count: 3, isMore: false, since: 7 },
      tenants: [
        { tenant: '9000', lastReceivedAt: 7 },
        { tenant: '9104', lastReceivedAt: 9 },
      ],
    });
    expect(shown.deliveries.at(-1)).toEqual({ at, delivered: 0, failed: 0, refused: 0 });
    expect(shown.deliveries).toHaveLength(24);
  });

  it('lists the webhooks of an order, the newest first', async () => {
    const { store } = await open();
    const body = Buffer.from(JSON.stringify({ a: 'x'.repeat(1000) }));
    await store.inbox.add([entryOf('1', 7), { ...entryOf('1', 8), body }, entryOf('2', 9)]);
    await observe(store, '1', 1);
    const { webhooks } =
      (await readSubject(
        { ...freshReadings(store), incidents: async () => [], placesOf: createPlacesOf([]) },
        refOf(order('1')),
      )) ?? {};
    expect(webhooks).toMatchObject([
      { eventId: '9104:8', event: 'OrderUpdate', observedAt: null, bytes: body.length },
      { eventId: '9104:7', observedAt: new Date(at), subject: order('1') },
    ]);
  });
});
