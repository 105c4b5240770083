import { expect, it } from 'vitest';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';

const serve = async () => {
  const store = await openTemporaryStore();
  for (const id of ['1', '2', '3'])
    await record(store, `order:9104:${id}`, {
      snapshot: { referenceNumber: `OR${id}X`, customerId: '418', customerName: 'Alder Tea' },
    });
  return { store, ...(await openAdmin({ store })) };
};

it('the view that an address narrows is the current one', async () => {
  const { url } = await serve();
  const views = {
    'attention=failing&tenant=9104': ['Needs attention'],
    'due=willMiss&tenant=9104': ['Will miss'],
    'customer=418': ['Open'],
    'stage=confirmed': [],
  };
  for (const [query, expected] of Object.entries(views)) {
    const page = await (await fetch(`${url}/board/subjects?${query}`)).text();
    const [, tabs = ''] = /aria-label="Views">(.*?)<\/nav>/s.exec(page) ?? [];
    const current = [...tabs.matchAll(/aria-current="page">([^<]*)/g)].map(([, name]) => name?.trim());
    expect([query, ...current]).toEqual([query, ...expected]);
  }
});
