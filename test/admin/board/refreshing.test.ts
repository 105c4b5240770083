import { expect, it } from 'vitest';
import { describeOnEither, openIn } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { lifecycleAt, order } from '../../support/make.ts';
import { openAdmin } from '../open-admin.ts';

describeOnEither('the list of subjects', (database) => {
  it.each([
    { carrier: 'UPS' },
    { facility: '13' },
    { id: '2', open: 'true' },
    { takenBy: 'ana', olderThan: '1h' },
    { customer: '419', createdSince: '9h' },
    { stage: 'created', attention: 'any' },
  ])('refreshes what it shows, and nothing else: %j', async (filters) => {
    const store = await openIn(database, { now: () => Date.now() - 2 * 3_600_000 });
    const { post, url } = await openAdmin({ store });
    for (const [kind, id, carrier, facilityId, customerId] of [
      ['order', '1', 'FedEx', '12', '418'],
      ['order', '2', 'UPS', '13', '419'],
      ['receipt', '3', 'DHL', '12', '418'],
    ] as const) {
      const lifecycle = lifecycleAt(1, { snapshot: { status: 'open', facilityId } });
      const refused = id === '2' ? ([{ operation: 'getOrder', message: 'GET answered 404', since: 1 }] as const) : [];
      await recordAs(store, { ...order, kind, id }, { lifecycle, customerId, facts: { carrier }, refused });
      if (id !== '1') await store.taking.take({ ...order, kind, id }, 'ana');
    }
    const page = await (await fetch(`${url}/board/subjects?${new URLSearchParams(filters as never)}`)).text();
    const form = /<button>Refresh all 1…/.exec(page) && page.slice(page.lastIndexOf('<form class="bulk"'));
    const fields = [...(form ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    const { action, ...filter } = Object.fromEntries(fields);
    expect(filter).toMatchObject(Object.fromEntries(Object.keys(filters).map((name) => [name, expect.any(String)])));
    const { body } = await post('/bulk', { action, filter });
    expect(body).toMatchObject({ action: 'refresh', total: 1, sample: ['order:9104:2'] });
  });
});
