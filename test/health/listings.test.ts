import { expect, it } from 'vitest';
import { describeOnEither, openIn } from '../store/databases.ts';
import { openTestHealth, soundMachine } from './sound-machine.ts';

describeOnEither('what a warehouse does not list as it is asked to', (database) => {
  it('is an incident for each kind, which is not urgent', async () => {
    const store = await openIn(database);
    const limitations = [
      { kind: 'order', message: 'the warehouse ignores the filter; only open ones were listed' },
      { kind: 'order', message: 'the warehouse refuses to sort' },
      { kind: 'receipt', message: 'the warehouse refuses to sort' },
    ] as const;
    const last = [{ tenant: '9104', succeededAt: store.now(), differences: 0, limitations }];
    await store.pageLimits.note({ tenant: '9104', kind: 'order' }, 'GET /orders answered 400');
    await store.pageLimits.note({ tenant: '9104', kind: 'order' }, 'GET /orders answered 403');
    const health = openTestHealth(store, { ...soundMachine, sweeps: async () => ({ last, everyMs: 1, at: 0 }) });
    const incidents = await health.whole.open();
    expect(incidents.map(({ condition, place, because }) => [condition, place, because])).toEqual([
      ['listing-limited', '9104/order', 'GET /orders answered 403'],
      [
        'listing-limited',
        '9104/order/reconciliation',
        'the warehouse ignores the filter; only open ones were listed; the warehouse refuses to sort',
      ],
      ['listing-limited', '9104/receipt/reconciliation', 'the warehouse refuses to sort'],
    ]);
  });
});
