import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../../sandbox/simulator/kinds/kinds.ts';
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

  it.each(collections)(
    'at %s has PascalCase and a ResourceList if application/json is requested',
    async (path, kind) => {
      const simulator = await openSimulator();
      simulator.create(kind);
      const { headers, body } = await get(simulator, path, 'application/json');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toEqual({
        TotalResults: 1,
        ResourceList: [expect.objectContaining({ ReadOnly: expect.any(Object) })],
      });
      expect(JSON.stringify(body)).not.toMatch(/"_|"[a-z]\w*":/);
    },
  );

  it.each(collections)('at %s finds every %s that was modified since a time', async (...collection) => {
    const [path, kind, rel, , , , removal] = collection;
    const simulator = await openSimulator();
    const [changed = ''] = [simulator.create(kind), simulator.create(kind)];
    const update = removal.replace(/Deleted?$/, 'Update') as EventName;
    await simulator.emit(changed, update, { time: Date.UTC(2036, 1, 11, 16, 42) });
    const { body } = await get(simulator, `${path}?rql=readOnly.lastModifiedDate=ge=2036-02-11T10:42:00`);
    expect(body._embedded[`http://api.3plCentral.com/rels/${rel}`]).toEqual([
      (await get(simulator, `${path}/${changed}`)).body,
    ]);
  });

  it.each(collections)('at %s is refused without the permission to read a %s', async (...[path, , , , , operation]) => {
    const simulator = await openSimulator({ faults: { forbidden: [operation] } });
    expect((await get(simulator, path)).status).toBe(403);
    expect((await fetch(simulator.baseUrl + path)).status).toBe(401);
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

  it('have a hundred orders by default', async () => {
    const simulator = await openSimulator();
    for (let count = 0; count < 101; count += 1) simulator.createOrder();
    const { ids, total } = await page(simulator, '');
    expect([ids.length, total]).toEqual([100, 101]);
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

  it('contain all orders if filters are ignored, valid or not', async () => {
    const simulator = await openSimulator({ faults: { ignoreRql: true } });
    const orders = [simulator.createOrder(), simulator.createOrder()];
    expect((await page(simulator, `rql=readOnly.orderId==${orders[0]}`)).ids).toEqual(orders);
    expect((await page(simulator, 'rql=???')).ids).toEqual(orders);
    simulator.setFaults({ ignoreRql: false });
    expect((await page(simulator, `rql=readOnly.orderId==${orders[0]}`)).ids).toEqual(orders.slice(0, 1));
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

  it('are refused for a malformed filter', async () => {
    const { status, body } = await get(await openSimulator(), '/orders?rql=readOnly.isClosed');
    expect([status, body.ErrorCode, body.Hint]).toEqual([400, 'NotParsable', 'rql']);
  });

  it('ignore unknown parameters', async () => {
    const simulator = await openSimulator();
    const orders = [simulator.createOrder(), simulator.createOrder()];
    expect((await page(simulator, 'filter=readOnly.orderId==1&page=2&size=1')).ids).toEqual(orders);
  });

  it('are sorted by id, or as requested', async () => {
    const simulator = await openSimulator();
    const referenceNums = ['B', 'C', 'A'];
    const [b, c, a] = referenceNums.map((referenceNum) => simulator.createOrder({ referenceNum }));
    expect((await page(simulator, '')).ids).toEqual([b, c, a]);
    expect((await page(simulator, 'sort=referencenum')).ids).toEqual([a, b, c]);
    expect((await page(simulator, 'sort=-ReadOnly.OrderId')).ids).toEqual([a, c, b]);
    expect((await page(simulator, 'sort=readOnly.status,-referenceNum')).ids).toEqual([c, b, a]);
  });

  it('have the requested sections of each order', async () => {
    const simulator = await openSimulator();
    simulator.createOrder();
    const fields = async (query: string) => Object.keys((await page(simulator, query)).rows[0]);
    expect(await fields('')).not.toContain('_embedded');
    const { rows } = await page(simulator, 'detail=OrderItems&itemdetail=SavedElements');
    expect(rows[0]._embedded['http://api.3plCentral.com/rels/orders/item'][0]).toHaveProperty('savedElements');
  });
});

describe('the stock summaries', () => {
  it('are rows without links that a filter finds by their key', async () => {
    const simulator = await openSimulator();
    const keys = [
      { facilityId: 12, itemId: 7001 },
      { facilityId: 12, itemId: 7001, qualifier: 'RED' },
      { facilityId: 14, itemId: 7001, qualifier: 'RED' },
    ];
    for (const key of keys) simulator.create('stock', key);
    const { status, body } = await get(simulator, '/inventory/stocksummaries?sort=-facilityId');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['totalResults', 'summaries']);
    expect(body.summaries.map(({ facilityId, qualifier }: Record<string, unknown>) => [facilityId, qualifier])).toEqual(
      [
        [12, ''],
        [12, 'RED'],
        [14, 'RED'],
      ],
    );
    const found = async (rql: string) => (await get(simulator, `/inventory/stocksummaries?rql=${rql}`)).body;
    expect(await found('itemIdentifier.id==7001;facilityId==12;qualifier==RED')).toEqual({
      totalResults: 1,
      summaries: [body.summaries[1]],
    });
    expect((await found('facilityId==12;qualifier==""')).summaries).toEqual([body.summaries[0]]);
    expect(await found('itemIdentifier.id==7002')).toEqual({ totalResults: 0, summaries: [] });
    expect(simulator.counts().calls.getStockSummaries).toBe(4);
  });

  it('are in PascalCase if application/json is requested', async () => {
    const simulator = await openSimulator();
    simulator.create('stock', { facilityId: 12, itemId: 7001 });
    const { body } = await get(simulator, '/inventory/stocksummaries', 'application/json');
    expect(body).toMatchObject({ TotalResults: 1, Summaries: [{ ItemIdentifier: { Id: 7001 }, FacilityId: 12 }] });
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
