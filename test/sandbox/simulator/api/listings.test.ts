import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../../../sandbox/simulator/simulator.ts';
import { get, openSimulator } from '../open.ts';

const collections = [
  ['/orders', 'order', 'orders/order', 'orderId', 1000, 'getOrders', 'OrderDeleted'],
  ['/inventory/receivers', 'receipt', 'inventory/receiver', 'receiverId', 500, 'getReceivers', 'ReceiptDelete'],
  [
    '/inventory/adjustments',
    'adjustment',
    'inventory/adjustment',
    'adjustmentId',
    500,
    'getAdjustments',
    'AdjustmentDelete',
  ],
  ['/inventory/assemblies', 'assembly', 'inventory/assembly', 'assemblyId', 500, 'getAssemblies', 'AssemblyDelete'],
] as const;

/** Returns the ids, rows, total and links of a page of orders. */
async function page(simulator: Simulator, query: string) {
  const { status, body } = await get(simulator, `/orders?${query}`);
  expect(status).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not there
  const rows: any[] = body._embedded['http://api.3plCentral.com/rels/orders/order'];
  return {
    ids: rows.map(({ readOnly }) => String(readOnly.orderId)),
    rows,
    total: body.totalResults,
    links: body._links,
  };
}

describe('a listing', () => {
  it.each(collections)('at %s has every %s that is not deleted, as a GET shows it', async (...collection) => {
    const [path, kind, rel, idName, , operation, removal] = collection;
    const simulator = await openSimulator();
    const [first = '', deleted = '', last = ''] = [1, 2, 3].map(() => simulator.create(kind));
    await simulator.emit(deleted, removal);
    const { status, headers, body } = await get(simulator, path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/hal+json; charset=utf-8');
    expect(headers.get('etag')).toBeNull();
    const rows = body._embedded[`http://api.3plCentral.com/rels/${rel}`];
    expect(rows.map((row: { readOnly: object }) => row.readOnly)).toMatchObject([
      { [idName]: Number(first) },
      { [idName]: Number(last) },
    ]);
    expect(rows[0]).toEqual((await get(simulator, `${path}/${first}`)).body);
    expect(body).toMatchObject({ totalResults: 2, _links: { self: { href: expect.stringContaining(path) } } });
    expect(simulator.counts().calls[operation]).toBe(1);
  });

  it.each([
    ...collections.map(([path, , , , limit]) => [path, limit] as const),
    ['/inventory/stocksummaries', 500] as const,
  ])('at %s has pages of at most %i, counted from 1', async (path, limit) => {
    const simulator = await openSimulator();
    const answer = async (query: string) => {
      const { status, body } = await get(simulator, `${path}?${query}`);
      return status === 200 ? status : [status, body.ErrorCode, body.Hint];
    };
    expect(await answer(`pgsiz=${limit}`)).toBe(200);
    expect(await answer(`PgSiz=${limit + 1}`)).toEqual([400, 'NotParsable', 'pgsiz']);
    expect(await answer('pgsiz=0')).toEqual([400, 'NotParsable', 'pgsiz']);
    expect(await answer('pgsiz=ten')).toEqual([400, 'NotParsable', 'pgsiz']);
    expect(await answer('pgnum=0')).toEqual([400, 'NotParsable', 'pgnum']);
  });
});

describe('the pages of orders', () => {
  it('are linked, and contain every order once', async () => {
    const simulator = await openSimulator();
    const orders = Array.from({ length: 7 }, () => simulator.createOrder());
    const met: string[] = [];
    let query = 'pgsiz=3&rql=readOnly.isClosed==false';
    for (let count = 0; query !== '' && count < 9; count += 1) {
      const { ids, total, links } = await page(simulator, query);
      expect(total).toBe(7);
      met.push(...ids);
      query = links.next?.href.split('?')[1] ?? '';
    }
    expect(met).toEqual(orders);
    expect((await page(simulator, 'pgsiz=7')).links).not.toHaveProperty('next');
    expect((await page(simulator, 'pgsiz=3&pgnum=3')).ids).toEqual(orders.slice(6));
    expect((await page(simulator, 'pgsiz=3&pgnum=4')).ids).toEqual([]);
  });

  it('contain and count only the orders that match the filter', async () => {
    const simulator = await openSimulator();
    const [open = '', closed = '', late = ''] = [1, 2, 3].map(() => simulator.createOrder());
    await simulator.emit(closed, 'OrderConfirm');
    await simulator.emit(late, 'OrderUpdate', { time: Date.UTC(2036, 1, 11, 16, 42) });
    expect(await page(simulator, 'rql=readonly.isclosed==false')).toMatchObject({ ids: [open, late], total: 2 });
    // The warehouse's clocks are six hours behind.
    const since = (time: string) => page(simulator, `RQL=ReadOnly.lastModifiedDate=ge=${time}`);
    expect((await since('2036-02-11T10:42:00')).ids).toEqual([late]);
    expect((await since('2036-02-11T10:42:01')).ids).toEqual([]);
  });

  it('have rows as a lie gives them, if they are of ids', async () => {
    const simulator = await openSimulator();
    const orders = Array.from({ length: 4 }, () => simulator.createOrder());
    const byIds = async () => (await page(simulator, `rql=readOnly.orderId=in=(${orders.slice(0, 3).join()})`)).ids;
    const [first, second, third, other] = orders;
    expect(await byIds()).toEqual([first, second, third]);
    const lies = {
      rowsMissing: [first, second],
      rowsRepeated: [first, second, third, third],
      rowsReversed: [third, second, first],
      // Two seconds earlier there was none.
      rowsOld: [first, third],
      rowsUnasked: [first, second, third, other],
    };
    for (const [lie, rows] of Object.entries(lies)) {
      simulator.setFaults({ [lie]: 1 });
      expect(await byIds(), lie).toEqual(rows);
      expect((await page(simulator, 'rql=readOnly.status==0')).ids, lie).toEqual(orders);
      simulator.setFaults({ [lie]: 0 });
    }
    expect(simulator.counts().lies).toMatchObject({ rowsMissing: 1, rowsUnasked: 1 });
  });
});

describe('a property of a filter or a sort', () => {
  const refusal = (property: string) => [400, 'NotSupported', `Properties not supported: ${property}`];

  async function ask(query: string, refusedProperties: readonly string[] = []) {
    const simulator = await openSimulator({ manners: { refusedProperties } });
    const { status, body } = await get(simulator, `/orders?${query}`);
    return status === 200 ? [status] : [status, body.ErrorCode, body.Hint];
  }

  it('that is unknown is refused', async () => {
    expect(await ask('rql=readOnly.isClosed==false;colour==red')).toEqual(refusal('colour'));
    expect(await ask('sort=-colour')).toEqual(refusal('colour'));
  });

  it('that the manners name is refused, whatever its case', async () => {
    const refused = ['readOnly.lastModifiedDate'];
    expect(await ask('rql=ReadOnly.LastModifiedDate=ge=2026-02-11', refused)).toEqual(
      refusal('ReadOnly.LastModifiedDate'),
    );
    expect(await ask('rql=readOnly.isClosed==false&sort=readOnly.orderId', refused)).toEqual([200]);
  });
});
