import { describe, expect, it } from 'vitest';
import { never, openWarehouse } from './open-warehouse.ts';
import type { Reply } from './recording-server.ts';

describe('a GET', () => {
  it('asks for each resource at its documented path', async () => {
    const { warehouse, gets } = await openWarehouse();
    await warehouse.getOrder('31004581', never);
    await warehouse.getUser('2108', never);
    await warehouse.getPickList('5512', never);
    await warehouse.getCustomer('418', never);
    expect(gets().map(({ target }) => target)).toEqual([
      '/orders/31004581',
      '/uiproperties/users/2108',
      '/orders/pickjobs/5512/picklist',
      '/customers/418',
    ]);
    expect(gets()[0]?.headers).toMatchObject({ accept: 'application/hal+json', authorization: 'Bearer token-1' });
    expect(warehouse.calls()).toBe(4);
  });

  it.each([
    ['receipt', '/inventory/receivers/7?detail=SavedElements,ReceiveItems'],
    ['adjustment', '/inventory/adjustments/7'],
    ['assembly', '/inventory/assemblies/7'],
  ] as const)('asks for a %s at %s', async (kind, target) => {
    const api = () => ({ body: { readOnly: { [`${kind === 'receipt' ? 'receiver' : kind}Id`]: 7, status: 2 } } });
    const { warehouse, gets } = await openWarehouse({ api }, { receiptDetail: ['SavedElements', 'ReceiveItems'] });
    const { snapshot } = await warehouse.getSubject({ tenant: '9104', kind, id: '7' }, never);
    expect(gets().map((get) => get.target)).toEqual([target]);
    expect(snapshot).toEqual({ status: 'canceled' });
  });

  it.each([
    { orderDetail: [], itemDetail: ['allocations'], target: '/orders/1' },
    { orderDetail: ['contacts'], itemDetail: ['allocations'], target: '/orders/1?detail=contacts' },
    { orderDetail: ['orderItems'], itemDetail: [], target: '/orders/1?detail=orderItems' },
    {
      orderDetail: ['orderItems', 'savedElements'],
      itemDetail: ['savedElements', 'allocations'],
      target: '/orders/1?detail=orderItems,savedElements&Itemdetail=savedElements,allocations',
    },
  ])('asks for $orderDetail and $itemDetail as $target', async ({ target, ...details }) => {
    const { warehouse, gets } = await openWarehouse({}, details);
    await warehouse.getOrder('1', never);
    expect(gets()[0]?.target).toBe(target);
  });

  it('asks for an item of its customer', async () => {
    const api = () => ({ body: { itemId: 7001, sku: 'TEA', readOnly: { deactivated: true } } });
    const { warehouse, gets } = await openWarehouse({ api });
    const item = { tenant: '9104', kind: 'item', id: '7001' } as const;
    const { snapshot } = await warehouse.getSubject({ ...item, customerId: '418' }, never);
    expect(gets()[0]?.target).toBe('/customers/418/items/7001');
    expect(snapshot).toEqual({ deactivated: true, referenceNumber: 'TEA' });
    await expect(warehouse.getSubject(item, never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_REFUSED',
      message: expect.stringContaining('{customerId}'),
    });
  });

  it('asks for one line with the sections as they are written there', async () => {
    const { warehouse, gets } = await openWarehouse(
      { api: () => ({ body: { readOnly: { orderItemId: 310 }, qty: 1 } }) },
      { itemDetail: ['savedElements', 'allocationsWithDetail'] },
    );
    await warehouse.getOrderItem('31', '310', never);
    expect(gets()[0]?.target).toBe('/orders/31/items/310?detail=SavedElements,AllocationsWithDetail');
  });

  it.each<[string, (lines: string) => string]>([
    [
      'HAL',
      (lines) => `{"readOnly":{"orderId":31},"_embedded":{"http://api.3plCentral.com/rels/orders/item":[${lines}]}}`,
    ],
    ['PascalCase', (lines) => `{"ReadOnly":{"OrderId":31},"Items":{"TotalResults":2,"ResourceList":[${lines}]}}`],
    ['a list of its own', (lines) => `{"ReadOnly":{"OrderId":31},"OrderItems":[${lines}]}`],
  ])('asks for all lines of an order at once and reads them from %s', async (_, write) => {
    const one = '{"readOnly":{"orderItemId":310},"qty":1.50}';
    const other = '{"ReadOnly":{"OrderItemId":311},"Qty":12345678901234567890}';
    const { warehouse, gets } = await openWarehouse(
      { api: () => ({ body: write(`${one},${other}`) }) },
      { itemDetail: ['allocations'] },
    );
    const lines = await warehouse.getOrderItems('31', never);
    expect(gets()[0]?.target).toBe('/orders/31?detail=orderItems&Itemdetail=allocations');
    expect(Object.fromEntries(lines)).toEqual({ 310: one, 311: other });
  });

  it('finds a stock summary among the rows, whether or not the filter was applied', async () => {
    const rows = [
      { facilityId: 12, itemIdentifier: { id: 1 }, onHand: 1 },
      { facilityId: 12, itemIdentifier: { id: 7001, sku: 'TEA' }, qualifier: 'RED', onHand: 2 },
    ];
    const { warehouse, gets } = await openWarehouse({ api: () => ({ body: { totalResults: 2, summaries: rows } }) });
    const stock = { tenant: '9104', kind: 'stock', id: '12.7001.RED' } as const;
    const { snapshot, body } = await warehouse.getSubject(stock, never);
    expect(gets()[0]?.target).toBe(
      '/inventory/stocksummaries?pgsiz=500&pgnum=1&rql=facilityId%3D%3D12%3BitemIdentifier.id%3D%3D7001',
    );
    expect(snapshot).toEqual({ facilityId: '12', referenceNumber: 'TEA', levels: { onHand: 2 } });
    expect(JSON.parse(body)).toEqual(rows[1]);
    await expect(warehouse.getSubject({ ...stock, id: '12.7001.' }, never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_NOT_FOUND',
    });
  });

  it('has nothing to ask for what is on hold', async () => {
    const { warehouse, gets } = await openWarehouse();
    const hold = { tenant: '9104', kind: 'hold', id: '880' } as const;
    await expect(warehouse.getSubject(hold, never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_REFUSED' });
    expect(gets()).toEqual([]);
  });

  it('takes a base address with a path of its own', async () => {
    const server = await openWarehouse();
    const { warehouse } = await openWarehouse({}, { baseUrl: `${server.url}/api/` });
    await warehouse.getOrder('1', never);
    expect(server.gets().map(({ target }) => target)).toEqual(['/api/orders/1']);
  });

  it.each([
    { id: 'a/../b?c#d', target: '/orders/a%2F..%2Fb%3Fc%23d' },
    { id: 'a$& \ud800', target: '/orders/a%24%26%20%EF%BF%BD' },
  ])('keeps the id $id inside its place', async ({ id, target }) => {
    const { warehouse, gets } = await openWarehouse({ api: () => ({ body: { readOnly: { orderId: id } } }) });
    await warehouse.getOrder(id, never);
    expect(gets()[0]?.target).toBe(target);
  });

  it.each(['', '.', '..'])('of the id %j is refused without being sent', async (id) => {
    const { warehouse, gets } = await openWarehouse();
    await expect(warehouse.getOrder(id, never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_REFUSED' });
    expect(gets()).toHaveLength(0);
  });

  it('returns each body as it came, with digits that a number would lose', async () => {
    const body =
      '{ "readOnly": {"orderId": 9007199254740993, "id": 1, "x": 1.10}, "unknown": "\\ud800", "n": 12345678901234567890 }\n';
    const { warehouse } = await openWarehouse({ api: () => ({ body }) });
    expect((await warehouse.getOrder('9007199254740993', never)).body).toBe(body);
    expect(await warehouse.getUser('1', never)).toBe(body);
    expect(await warehouse.getPickList('1', never)).toBe(body);
  });
});

const refusal = '{"$type":"Some.Exceptions.X, Some","ErrorCode":"NotAllowed","Hint":"of 4 Private Lane"}';
const hint = ': the roles of the credential do not allow it, or it is a multi-tenant credential';
const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString();

describe('a failed GET', () => {
  it.each<{ readonly status: number; readonly code: string; readonly hint?: string }>([
    { status: 301, code: 'ERR_WAREHOUSE_FAILED' },
    { status: 302, code: 'ERR_WAREHOUSE_FAILED' },
    { status: 307, code: 'ERR_WAREHOUSE_FAILED' },
    { status: 400, code: 'ERR_WAREHOUSE_REFUSED' },
    { status: 403, code: 'ERR_WAREHOUSE_FORBIDDEN', hint },
    { status: 404, code: 'ERR_WAREHOUSE_NOT_FOUND' },
    { status: 410, code: 'ERR_WAREHOUSE_NOT_FOUND' },
    { status: 412, code: 'ERR_WAREHOUSE_REFUSED' },
    { status: 428, code: 'ERR_WAREHOUSE_REFUSED' },
    { status: 429, code: 'ERR_WAREHOUSE_RATE_LIMITED' },
    { status: 500, code: 'ERR_WAREHOUSE_FAILED' },
    { status: 503, code: 'ERR_WAREHOUSE_FAILED' },
  ])('with $status is $code, tried once', async ({ status, code, hint = '' }) => {
    const reply: Reply = { status, body: refusal, headers: { location: '/elsewhere' } };
    const { warehouse, gets } = await openWarehouse({ api: () => reply }, { orderDetail: ['contacts'] });
    await expect(warehouse.getOrder('31004581', never)).rejects.toMatchObject({
      name: 'DocklineError',
      code,
      message: `GET /orders/31004581 answered ${status} (ErrorCode NotAllowed)${hint}`,
      retryAfterMs: undefined,
    });
    expect(gets()).toHaveLength(1);
  });

  it.each([429, 503])('with %i has the wait that the warehouse asks for', async (status) => {
    const waits = ['2', '1.5', inAnHour(), 'Wed, 21 Oct 2015 07:28:00 GMT', 'later', '-1'];
    const { warehouse } = await openWarehouse({
      api: () => ({ status, headers: { 'retry-after': waits.shift() ?? '' } }),
    });
    const waitMs = async () => {
      const error = await warehouse.getUser('1', never).catch((reason) => reason);
      return error.retryAfterMs;
    };
    expect(await waitMs()).toBe(2000);
    expect(await waitMs()).toBe(1500);
    expect(await waitMs()).toSatisfy((ms: number) => ms > 3_000_000 && ms <= 3_600_000);
    expect(await waitMs()).toBe(0);
    expect(await waitMs()).toBeUndefined();
    expect(await waitMs()).toBeUndefined();
  });

  it('is unreachable if the connection breaks off or nobody listens', async () => {
    const { warehouse } = await openWarehouse({ api: () => 'reset' });
    await expect(warehouse.getOrder('1', never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_UNREACHABLE' });

    const { warehouse: nowhere } = await openWarehouse({}, { baseUrl: 'http://127.0.0.1:1' });
    await expect(nowhere.getOrder('1', never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_UNREACHABLE',
      message: 'GET /orders/1 failed: ECONNREFUSED',
    });
  });

  it('is unreachable if the answer breaks off', async () => {
    const { warehouse } = await openWarehouse({ api: () => 'cut' });
    await expect(warehouse.getUser('1', never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_UNREACHABLE' });
  });

  it('is unreachable if the answer takes too long', async () => {
    const { warehouse } = await openWarehouse({ api: () => 'hang' }, { timeoutMs: 300 });
    await expect(warehouse.getOrder('1', never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_UNREACHABLE',
      message: 'GET /orders/1 failed: no whole answer within 300 ms',
    });
  });

  it('is given less time for what only enriches announcements', async () => {
    const { warehouse } = await openWarehouse({ api: () => 'hang' }, { timeoutMs: 2000 });
    await expect(warehouse.getUser('1', never)).rejects.toMatchObject({
      message: expect.stringContaining('no whole answer within 300 ms'),
    });
  });

  it('fails with the reason of its signal', async () => {
    const { warehouse, gets } = await openWarehouse({ api: () => 'hang' });
    const controller = new AbortController();
    const order = warehouse.getOrder('1', controller.signal);
    await expect.poll(() => gets().length).toBe(1);
    controller.abort(new Error('canceled'));
    await expect(order).rejects.toThrow('canceled');
  });
});
