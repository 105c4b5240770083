import { expect, it } from 'vitest';
import { openAdmin } from '../../admin/open-admin.ts';
import { recordAs } from '../../store/recordings.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { orderOf } from '../../support/make.ts';

it.each([
  [5, false],
  [40, true],
])('the page of an order shows what %i lines of a parcel have, folded: %s', async (count, isFolded) => {
  const store = await openTemporaryStore();
  await recordAs(store, orderOf('7'), {});
  const packageContents = Array.from({ length: count }, (_, at) => ({ orderItemId: at + 1, qty: at + 1 }));
  const record = {
    readOnly: { orderId: 7, packages: [{ packageId: 1, packageContents }] },
    _embedded: { 'http://api.3plCentral.com/rels/orders/item': [{ readOnly: { orderItemId: 1 }, qty: 1 }] },
  };
  await store.resources.put('9104', 'order', '7', JSON.stringify(record));
  const { url } = await openAdmin({ store });
  const page = await (await fetch(`${url}/board/subjects/9104/order/7`)).text();
  const [, parcels = ''] = /id="parcels">(.*?)<\/section>/s.exec(page) ?? [];
  expect(parcels.match(/\d+ × /g)).toHaveLength(count);
  expect(parcels.includes(`<details><summary>${count} lines</summary>`)).toBe(isFolded);
});
