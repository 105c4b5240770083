import { expect, it } from 'vitest';
import { describeOnEither, openIn } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { announcementOf, order } from '../support/make.ts';
import { openTestHealth } from './sound-machine.ts';

describeOnEither('an incident of a destination that was added', (database) => {
  it('has its name, also another one that it was given, its last answer and what waits for it', async () => {
    const clock = { now: Date.UTC(2026, 1, 11, 12) };
    const store = await openIn(database, { now: () => clock.now });
    const ref = { tenant: '9104', name: 'shop' };
    const id = 'shop-0001';
    await store.destinations.add(ref, { id, settings: '{}', sealed: Buffer.from('sealed') });
    await recordAs(store, order, { announcements: [{ ...announcementOf(1), destinations: [id] }] });
    const leased = await store.outbox.lease({ id: announcementOf(1).id, destination: id }, 1000);
    if (typeof leased !== 'object' || 'quietMs' in leased) throw new Error('it is not to be sent');
    const exchange = { requestHeaders: {}, status: 503, answer: Buffer.from('') };
    await store.outbox.failed(leased, { outcome: 'failed', status: 503, ms: 1, error: 'answered 503', exchange });
    await store.destinations.failed({ tenant: '9104', id }, 'answered 503');
    clock.now += 3_600_000;
    const [failing, ...others] = await openTestHealth(store).whole.all();
    expect(others).toEqual([]);
    expect(failing).toMatchObject({
      condition: 'destination-failing',
      place: '9104/shop-0001',
      title: 'Destination shop of warehouse 9104: 503 to all announcements',
      count: 1,
    });
    await store.destinations.succeeded({ tenant: '9104', id });
    // It was not tried since.
    expect(await openTestHealth(store).whole.all()).toEqual([]);
    const rejection = { outcome: 'refused', status: 422, ms: 1, error: 'answered 422', exchange } as const;
    await store.outbox.failed({ ...leased, leasedUntil: null }, rejection);
    await store.destinations.rename({ tenant: '9104', id }, 'hub');
    expect(await openTestHealth(store).whole.all()).toMatchObject([
      {
        condition: 'announcement-failing',
        title: expect.stringContaining('Destination hub of warehouse 9104 rejects'),
      },
    ]);
  });
});
