import { expect, it } from 'vitest';
import { openAdmin } from '../../admin/open-admin.ts';
import { recordAs } from '../../store/recordings.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';

const receipt = { tenant: '9104', kind: 'receipt', id: '7' } as const;

/** Returns the texts of the table of lines on a page. */
async function linesOn(store: Awaited<ReturnType<typeof openTemporaryStore>>, path: string) {
  const { url } = await openAdmin({ store });
  const page = await (await fetch(url + path)).text();
  const [, table = ''] = /id="lines">Lines<\/h2>(.*?)<\/section>/s.exec(page) ?? [];
  return [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '').trim()),
  );
}

it('the page of a receipt shows what was expected of each line, and what was received', async () => {
  const store = await openTemporaryStore();
  await recordAs(store, receipt, {});
  const line = (receiveItemId: number, members: object) => ({ readOnly: { receiveItemId }, ...members });
  const lines = [
    line(1, { itemIdentifier: { sku: 'MUG' }, expectedQty: 100, qty: 98, lotNumber: 'L9' }),
    line(2, { itemIdentifier: { sku: 'TEA' }, expectedQty: 5, qty: 6 }),
    line(3, { itemIdentifier: { sku: 'CUP<b>' }, qty: 2, onHold: true, onHoldReason: 'Damaged' }),
  ];
  const record = { readOnly: { receiverId: 7, status: 1 }, receiveItems: lines };
  await store.resources.put('9104', 'receipt', '7', JSON.stringify(record));
  expect(await linesOn(store, '/board/subjects/9104/receipt/7')).toEqual([
    ['Line', 'SKU', 'Expected', 'Received', 'Difference', 'Lots', 'On hold'],
    ['1', 'MUG', '100', '98', '-2', 'L9', ''],
    ['2', 'TEA', '5', '6', '+1', '', ''],
    ['3', 'CUP&lt;b&gt;', '', '2', '', '', 'Damaged'],
  ]);
});

it('the page of any other kind shows what its record says of its lines', async () => {
  const store = await openTemporaryStore();
  await recordAs(store, { ...receipt, kind: 'adjustment' }, {});
  const record = { readOnly: { adjustmentId: 7 }, itemIdentifier: { sku: 'MUG' }, qty: -3 };
  await store.resources.put('9104', 'adjustment', '7', JSON.stringify(record));
  expect(await linesOn(store, '/board/subjects/9104/adjustment/7')).toEqual([
    ['Line', 'SKU', 'Quantity'],
    ['1', 'MUG', '-3'],
  ]);
});

it('the page reads the record where the account has its members', async () => {
  const store = await openTemporaryStore();
  await recordAs(store, receipt, {});
  const record = { readOnly: { receiverId: 7, status: 1 }, receiveItems: [{ announced: 12, qty: 11 }] };
  await store.resources.put('9104', 'receipt', '7', JSON.stringify(record));
  const { get } = await openAdmin({ store, env: { WAREHOUSE_PROPERTIES: 'receiptLine.expected=announced' } });
  const { body } = await get('/subjects/9104/receipt/7');
  expect(body.advice.lines).toMatchObject([{ expected: 12, received: 11, difference: -1 }]);
});
