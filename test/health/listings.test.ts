import { expect, it } from 'vitest';
import { describeOnEither, openIn } from '../store/databases.ts';
import { openTestHealth } from './sound-machine.ts';

describeOnEither('what a warehouse does not list as it is asked to', (database) => {
  it('is an incident for each kind, which is not urgent', async () => {
    const store = await openIn(database);
    await store.pageLimits.note({ tenant: '9104', kind: 'order' }, 'GET /orders answered 400');
    await store.pageLimits.note({ tenant: '9104', kind: 'order' }, 'GET /orders answered 403');
    const health = openTestHealth(store);
    const incidents = await health.whole.open();
    expect(incidents.map(({ condition, place, because }) => [condition, place, because])).toEqual([
      ['listing-limited', '9104/order', 'GET /orders answered 403'],
    ]);
  });
});
