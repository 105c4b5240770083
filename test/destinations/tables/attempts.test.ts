import { expect, it } from 'vitest';
import type { Store } from '../../../src/app/store.ts';
import type { Exchange } from '../../../src/domain/outgoing.ts';
import { describeOnBoth, openIn, type TestDatabase } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { announcementOf, lifecycleAt, order, orderOf, toDefault, unleased } from '../../support/make.ts';

const [first, second] = [1, 2].map((revision) => announcementOf(revision).id) as [string, string];

const other = orderOf('2');

/** Bytes that are no text, with U+0000. */
const bytes = Uint8Array.of(0, 0xff, 0x3c, 0x62, 0x3e);

const exchange: Exchange = {
  requestHeaders: { 'webhook-id': first, 'webhook-signature': '***' },
  status: 503,
  answer: bytes,
};

const failure = { outcome: 'failed', status: 503, ms: 40, error: 'answered 503\0', exchange } as const;

async function openWith(database: TestDatabase) {
  const clock = { now: 1_000 };
  const store = await openIn(database, { now: () => clock.now });
  const announcements = [1, 2].map((revision) => announcementOf(revision));
  await recordAs(store, order, { lifecycle: lifecycleAt(2), announcements });
  return { ...store, clock };
}

const attemptsOf = (store: Pick<Store, 'db'>, id: string) =>
  store.db.selectFrom('attempts').selectAll().where('announcement', '=', id).orderBy('number').execute();

describeOnBoth('the attempts of an announcement', (database) => {
  it('are kept each with its answer, byte for byte, in the commit that counts it', async () => {
    const { outbox, clock, ...store } = await openWith(database);
    await outbox.failed(unleased(first), failure);
    await outbox.failed(unleased(first), { outcome: 'refused', status: 312, ms: 2, error: 'no queue is bound' });
    clock.now += 7;
    const answer = Buffer.from('thanks');
    await outbox.sent(toDefault(first), { status: 204, ms: 12, exchange: { ...exchange, status: 204, answer } });
    const row = { announcement: first, destination: 'default', tenant: '9104' };
    const [one, two, three] = await attemptsOf(store, first);
    expect(one).toMatchObject({ ...row, number: 1, at: 1_000, ms: 40, outcome: 'failed', status: 503 });
    expect(one?.error).toMatch(/^answered 503/);
    expect(Buffer.from(one?.answer ?? [])).toEqual(Buffer.from(bytes));
    expect(JSON.parse(one?.request_headers ?? '')).toEqual(exchange.requestHeaders);
    const nothing = { status: null, request_headers: null, answer: null };
    expect(two).toEqual({
      ...row,
      number: 2,
      at: 1_000,
      ms: 2,
      outcome: 'refused',
      error: 'no queue is bound',
      ...nothing,
    });
    expect(three).toMatchObject({ number: 3, at: 1_007, outcome: 'delivered', status: 204, error: null });
    expect(Buffer.from(three?.answer ?? []).toString()).toBe('thanks');
    expect(await attemptsOf(store, second)).toEqual([]);
  });

  it('are the last twenty for each destination', async () => {
    const { outbox, ...store } = await openWith(database);
    for (let n = 0; n < 22; n += 1) await outbox.failed(unleased(first), failure);
    await outbox.failed(unleased(second), failure);
    const numbers = (await attemptsOf(store, first)).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 3));
    expect(await attemptsOf(store, second)).toMatchObject([{ number: 1 }]);
  });

  it('are not kept if they are not counted, after it was acknowledged', async () => {
    const { outbox, ...store } = await openWith(database);
    await outbox.sent(toDefault(first), { status: 204, ms: 12 });
    await outbox.sent(toDefault(first), { status: 204, ms: 13 });
    await outbox.failed(unleased(first), failure);
    await outbox.sent(toDefault('unknown'), { status: 204, ms: 13 });
    expect(await attemptsOf(store, first)).toMatchObject([{ number: 1, ms: 12 }]);
    expect(await attemptsOf(store, 'unknown')).toEqual([]);
  });
});

describeOnBoth('the attempts of an announcement that goes away', (database) => {
  it('are erased with its subject only', async () => {
    const { outbox, erasures, ...store } = await openWith(database);
    await recordAs(store, other, { announcements: [announcementOf(1, other)] });
    for (const id of [first, announcementOf(1, other).id]) await outbox.failed(unleased(id), failure);
    await erasures.erase(order, { by: 'ada', unsent: true });
    expect(await attemptsOf(store, first)).toEqual([]);
    expect(await attemptsOf(store, announcementOf(1, other).id)).toHaveLength(1);
  });

  it('are purged with its body, as soon as every destination has acknowledged it', async () => {
    const { outbox, purge, ...store } = await openWith(database);
    for (const id of [first, second]) await outbox.failed(unleased(id), failure);
    await outbox.sent(toDefault(first), { status: 204, ms: 12 });
    expect(await purge('announcements', 1_000, 10)).toBe(0);
    expect(await attemptsOf(store, first)).toHaveLength(2);
    expect(await purge('announcements', 1_001, 10)).toBe(1);
    expect(await purge('announcements', 1_001, 10)).toBe(0);
    expect(await attemptsOf(store, first)).toEqual([]);
    expect(await attemptsOf(store, second)).toHaveLength(1);
  });

  it('are removed with a destination that has not acknowledged it', async () => {
    const { outbox, destinations, ...store } = await openWith(database);
    for (const id of [first, second]) await outbox.failed(unleased(id), failure);
    await outbox.sent(toDefault(first), { status: 204, ms: 12 });
    await destinations.remove({ tenant: '9104', id: 'default' });
    expect(await attemptsOf(store, first)).toHaveLength(2);
    expect(await attemptsOf(store, second)).toEqual([]);
  });
});
