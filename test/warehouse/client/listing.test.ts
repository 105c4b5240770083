import { describe, expect, it } from 'vitest';
import { standardProperties } from '../../../src/domain/catalogue/properties.ts';
import type { ListQuery } from '../../../src/warehouse/gets.ts';
import { never, openWarehouse } from '../open-warehouse.ts';
import type { Reply } from '../recording-server.ts';

const since = Date.parse('2026-02-11T10:00:00.500Z');
const changed: ListQuery = { kind: 'order', since, after: '', pageSize: 200 };

const row = (orderId: number, facts: object = {}) => ({
  referenceNum: `PO-${orderId}`,
  readOnly: { orderId, status: 0, fullyAllocated: true, lastModifiedDate: '2026-02-11T10:00:00.063', ...facts },
});

const hal = (rows: readonly object[], more: object = {}) => ({
  totalResults: rows.length,
  _embedded: { 'http://api.3plCentral.com/rels/orders/order': rows },
  ...more,
});

/** A warehouse that answers every GET so, and the GETs that came with their queries. */
async function openListing(body: object | string, reply: Exclude<Reply, string> = {}) {
  const { warehouse, gets } = await openWarehouse({ api: () => ({ ...reply, body }) });
  const asked = () =>
    gets().map(({ target }) => {
      const { pathname, searchParams } = new URL(target, 'http://warehouse');
      return { path: pathname, ...Object.fromEntries(searchParams) };
    });
  return { warehouse, asked };
}

describe('the listing of changed subjects', () => {
  it('asks for one page by when it changed, in the order of the ids', async () => {
    const { warehouse, asked } = await openListing(hal([]));
    await warehouse.list(changed, never);
    expect(asked()).toEqual([
      {
        path: '/orders',
        pgsiz: '200',
        pgnum: '1',
        rql: 'readOnly.lastModifiedDate=ge=2026-02-11T10:00:00',
        sort: 'readOnly.orderId',
      },
    ]);
  });

  it.each([
    ['order', '/orders', '1000', 'readOnly.orderId'],
    ['receipt', '/inventory/receivers', '500', 'readOnly.receiverId'],
    ['adjustment', '/inventory/adjustments', '500', 'readOnly.adjustmentId'],
    ['assembly', '/inventory/assemblies', '500', 'readOnly.assemblyId'],
  ] as const)('has its place, its size and its ids for each kind: %s', async (kind, path, pgsiz, sort) => {
    const { warehouse, asked } = await openListing(hal([]));
    expect(await warehouse.list({ ...changed, kind, pageSize: 5000 }, never)).toEqual({
      rows: [],
      next: null,
    });
    expect(asked()).toMatchObject([{ path, pgsiz, sort }]);
  });

  it.each([
    ['HAL', hal([row(1), row(2)], { totalResults: 7 })],
    ['HAL with another relation', { totalResults: 7, _embedded: { Item: [row(1), row(2)] } }],
    [
      'the other form',
      {
        TotalResults: 7,
        ResourceList: [1, 2].map((OrderId) => ({
          ReferenceNum: `PO-${OrderId}`,
          ReadOnly: { OrderId, Status: 0, FullyAllocated: true, LastModifiedDate: '2026-02-11T10:00:00.063' },
        })),
      },
    ],
  ])('reads %s', async (_, body) => {
    const { warehouse } = await openListing(body);
    const { rows, next } = await warehouse.list(changed, never);
    expect(next).toBe('2');
    expect(rows).toMatchObject([
      { id: '1', snapshot: { status: 'open', fullyAllocated: true, referenceNumber: 'PO-1' } },
      { id: '2', snapshot: { status: 'open', fullyAllocated: true, referenceNumber: 'PO-2' } },
    ]);
  });

  it.each([
    ['HAL', { _embedded: { 'http://api.3plCentral.com/rels/orders/order': row(1) } }],
    ['the other form', { ResourceList: row(1) }],
  ])('reads the only row in place of a list: %s', async (_, body) => {
    const { warehouse } = await openListing(body);
    expect((await warehouse.list(changed, never)).rows).toMatchObject([{ id: '1' }]);
  });

  it('ignores facts that a row omits', async () => {
    const { warehouse } = await openListing(hal([row(1, { status: undefined, fullyAllocated: null })]));
    const [listed] = (await warehouse.list(changed, never)).rows;
    expect(listed?.snapshot).not.toHaveProperty('status');
    expect(listed?.snapshot).not.toHaveProperty('fullyAllocated');
    expect(listed?.snapshot).not.toHaveProperty('lineCount');
  });

  it('holds what was created and never changed against the time of its creation', async () => {
    const { warehouse } = await openListing(
      hal([row(1, { lastModifiedDate: null, creationDate: '2026-02-11T10:00:00' })]),
    );
    expect((await warehouse.list(changed, never)).rows).toHaveLength(1);
  });

  it.each([
    ['shows the time of another zone', '2026-02-10T08:00:00.5'],
    ['shows the time of the zone that is furthest away', '2026-02-10T08:00:00'],
    ['shows its day alone', '2026-02-10'],
    ['shows a time with an offset', '2026-02-11T03:00:00-07:00'],
    ['shows a time in a notation of its own', '02/10/2026 9:00 PM'],
  ])('lists a row that %s: that proves nothing about the filter', async (_, lastModifiedDate) => {
    const { warehouse, asked } = await openListing(hal([row(1), row(31004581, { lastModifiedDate })]));
    const { rows } = await warehouse.list(changed, never);
    expect(rows).toMatchObject([{ id: '1' }, { id: '31004581' }]);
    expect(asked()).toHaveLength(1);
  });

  it.each([
    ['is older than zones differ', { lastModifiedDate: '2026-02-10T07:59:59.999' }],
    ['has no time', { lastModifiedDate: null }],
  ])('fails if a row %s: the filter is ignored', async (_, facts) => {
    const { warehouse } = await openListing(hal([row(1), row(31004581, facts)]));
    await expect(warehouse.list(changed, never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_UNFILTERED',
      message: expect.stringMatching(
        /^GET \/orders answered with order 31004581, changed .+: the warehouse does not filter or sort by readOnly.lastModifiedDate \(set order.changed in WAREHOUSE_PROPERTIES\)$/,
      ),
    });
  });

  it('that is empty may leave its rows out', async () => {
    const { warehouse } = await openListing({ totalResults: 0, _links: {} });
    expect((await warehouse.list(changed, never)).rows).toEqual([]);
  });

  it.each([
    ['no listing', {}],
    ['no JSON', '<html>'],
    ['an error that says that there is nothing', { ErrorCode: 'Timeout', TotalResults: 0 }],
    ['an error with an empty list', { Message: 'Timeout', TotalResults: 0, ResourceList: [] }],
    ['a row that is an error', hal([row(1), { ErrorCode: 'Timeout', OrderId: 2, Status: 1 }])],
    ['a row with two statuses', hal([{ readOnly: { orderId: 1, status: 0, Status: 2 } }])],
    ['a row without an id', hal([{ readOnly: { lastModifiedDate: '2026-02-11T10:00:00' } }])],
  ])('cannot be read: %s', async (_, body) => {
    const { warehouse } = await openListing(body);
    await expect(warehouse.list(changed, never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_UNREADABLE' });
  });

  it('fails as any other GET does', async () => {
    const { warehouse } = await openListing('', { status: 429, headers: { 'retry-after': '7' } });
    await expect(warehouse.list(changed, never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_RATE_LIMITED',
      retryAfterMs: 7000,
    });
  });
});

describe('the next page of a listing', () => {
  it('is what follows the last id, so that a row which leaves meanwhile moves no other past it', async () => {
    const { warehouse, asked } = await openListing(hal([row(8), row(9)], { totalResults: 5 }));
    const page = await warehouse.list({ ...changed, after: '7' }, never);
    expect(asked()).toMatchObject([
      { pgnum: '1', rql: 'readOnly.lastModifiedDate=ge=2026-02-11T10:00:00;readOnly.orderId=gt=7' },
    ]);
    expect(page).toMatchObject({ rows: [{ id: '8' }, { id: '9' }], next: '9' });
  });

  it.each([
    ['repeats one of the page before', [row(7), row(8)]],
    ['is sorted otherwise', [row(9), row(8)]],
    ['repeats itself', [row(8), row(8)]],
    ['has ids that are no numbers', [row(8, { orderId: 'a-1' })]],
  ])('fails if it %s', async (_, rows) => {
    const { warehouse } = await openListing(hal(rows));
    await expect(warehouse.list({ ...changed, after: '7' }, never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_UNFILTERED',
      message: expect.stringMatching(/which does not follow \d: .+ by readOnly.orderId \(set order.id in/),
    });
  });

  it.each([204, 404])('without rows may be answered %i, once the listing has answered', async (status) => {
    const answers: Reply[] = [{ body: hal([row(1)]) }];
    const { warehouse } = await openWarehouse({ api: () => answers.shift() ?? { status, body: '' } });
    expect(await warehouse.list(changed, never)).toMatchObject({ next: '1' });
    expect(await warehouse.list({ ...changed, after: '1' }, never)).toEqual({ rows: [], next: null });
    expect(await warehouse.listByIds('order', ['1'], never)).toEqual([]);
  });

  it('is not there where the listing has always been answered 404', async () => {
    const { warehouse } = await openListing('', { status: 404 });
    await expect(warehouse.list(changed, never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_NOT_FOUND' });
  });
});

describe('the listing of open subjects', () => {
  it('filters them, however long ago they changed, and leaves out canceled ones', async () => {
    const { warehouse, asked } = await openListing(
      hal([row(1), row(2, { lastModifiedDate: '2026-02-10T09:00:00' }), row(3, { status: 2 })]),
    );
    const { rows, next } = await warehouse.list({ ...changed, since: null }, never);
    expect(rows.map(({ id }) => id)).toEqual(['1', '2']);
    expect(next).toBe('3');
    expect(asked()).toMatchObject([{ rql: 'readOnly.isClosed==false', sort: 'readOnly.orderId' }]);
  });
});

describe('a listing with properties of its own', () => {
  it('filters, sorts and reads its rows by them', async () => {
    const properties = { ...standardProperties, 'order.id': 'Key', 'order.changed': 'Audit.ChangedAt' };
    const body = hal([{ key: 7, audit: { changedAt: '2026-02-11T11:00:00' }, readOnly: { orderId: 1, status: 0 } }]);
    const { warehouse, gets } = await openWarehouse({ api: () => ({ body }) }, { properties });
    expect((await warehouse.list(changed, never)).rows).toMatchObject([{ id: '7', changedAt: '2026-02-11T11:00:00' }]);
    expect(decodeURIComponent(gets()[0]?.target ?? '')).toMatch(/rql=Audit.ChangedAt=ge=.+&sort=Key$/);
  });
});

describe('the listing by ids', () => {
  it('returns those that the warehouse has', async () => {
    const { warehouse, asked } = await openListing(hal([row(3), row(1)]));
    expect(await warehouse.listByIds('order', ['1', '2', '3'], never)).toMatchObject([{ id: '3' }, { id: '1' }]);
    expect(asked()).toMatchObject([{ pgsiz: '3', rql: 'readOnly.orderId=in=(1,2,3)' }]);
  });

  it('fails if a row was not asked for: the filter is ignored', async () => {
    const { warehouse } = await openListing(hal([row(1), row(9)]));
    await expect(warehouse.listByIds('order', ['1', '2'], never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_UNFILTERED',
      message: expect.stringContaining('order 9, which was not asked for'),
    });
  });

  it('does not ask for what would be more than an id in a filter', async () => {
    const { warehouse, asked } = await openListing(hal([row(1)]));
    expect(await warehouse.listByIds('order', ['1', '2);readOnly.status==0', ''], never)).toMatchObject([{ id: '1' }]);
    expect(await warehouse.listByIds('order', ['a,b'], never)).toEqual([]);
    expect(asked()).toMatchObject([{ rql: 'readOnly.orderId=in=(1)' }]);
  });
});
