import { describe, expect, it } from 'vitest';
import type { ChangedQuery } from '../../../activities/ports/sweep.ts';
import { never, openWarehouse } from '../open-warehouse.ts';
import type { Reply } from '../recording-server.ts';

const since = Date.parse('2026-02-11T10:00:00.500Z');
const changed: ChangedQuery = { kind: 'order', since, page: 3, pageSize: 200 };

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
    await warehouse.listChanged(changed, never);
    expect(asked()).toEqual([
      {
        path: '/orders',
        pgsiz: '200',
        pgnum: '3',
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
    expect(await warehouse.listChanged({ ...changed, kind, pageSize: 5000 }, never)).toEqual({
      rows: [],
      total: 0,
      pageSize: Number(pgsiz),
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
    const { rows, total } = await warehouse.listChanged(changed, never);
    expect(total).toBe(7);
    expect(rows).toMatchObject([
      { id: '1', snapshot: { status: 'open', fullyAllocated: true, referenceNumber: 'PO-1' } },
      { id: '2', snapshot: { status: 'open', fullyAllocated: true, referenceNumber: 'PO-2' } },
    ]);
  });

  it('ignores facts that a row omits', async () => {
    const { warehouse } = await openListing(hal([row(1, { status: undefined, fullyAllocated: null })]));
    const [listed] = (await warehouse.listChanged(changed, never)).rows;
    expect(listed?.snapshot).not.toHaveProperty('status');
    expect(listed?.snapshot).not.toHaveProperty('fullyAllocated');
    expect(listed?.snapshot).not.toHaveProperty('lineCount');
  });

  it('holds what was created and never changed against the time of its creation', async () => {
    const { warehouse } = await openListing(
      hal([row(1, { lastModifiedDate: null, creationDate: '2026-02-11T10:00:00' })]),
    );
    expect((await warehouse.listChanged(changed, never)).rows).toHaveLength(1);
  });

  it.each([
    ['is older', { lastModifiedDate: '2026-02-11T09:59:59.999' }, 'changed 2026-02-11T09:59:59.999'],
    ['has no time', { lastModifiedDate: null }, 'changed at an unknown time'],
  ])('fails if a row %s: the filter was not applied', async (_, facts, why) => {
    const { warehouse } = await openListing(hal([row(1), row(31004581, facts)]));
    await expect(warehouse.listChanged(changed, never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_UNFILTERED',
      message: `GET /orders answered with order 31004581, ${why}: the warehouse did not apply the filter`,
    });
  });

  it('that is empty may leave its rows out', async () => {
    const { warehouse } = await openListing({ totalResults: 0, _links: {} });
    expect((await warehouse.listChanged(changed, never)).rows).toEqual([]);
  });

  it.each([
    ['no listing', {}],
    ['no JSON', '<html>'],
    ['a row without an id', hal([{ readOnly: { lastModifiedDate: '2026-02-11T10:00:00' } }])],
  ])('cannot be read: %s', async (_, body) => {
    const { warehouse } = await openListing(body);
    await expect(warehouse.listChanged(changed, never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_UNREADABLE' });
  });

  it('fails as any other GET does', async () => {
    const { warehouse } = await openListing('', { status: 429, headers: { 'retry-after': '7' } });
    await expect(warehouse.listChanged(changed, never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_RATE_LIMITED',
      retryAfterMs: 7000,
    });
  });
});

describe('the listing by ids', () => {
  it('requests them in one call and returns those that are still there', async () => {
    const { warehouse, asked } = await openListing(hal([row(1), row(3)]));
    expect(await warehouse.listByIds('order', ['1', '2', '3'], never)).toMatchObject([{ id: '1' }, { id: '3' }]);
    expect(asked()).toEqual([
      { path: '/orders', pgsiz: '3', pgnum: '1', rql: 'readOnly.orderId=in=(1,2,3)', sort: 'readOnly.orderId' },
    ]);
  });

  it('fails if a row does not match', async () => {
    const { warehouse } = await openListing(hal([row(1), row(9)]));
    await expect(warehouse.listByIds('order', ['1', '2'], never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_UNFILTERED',
      message: 'GET /orders answered with order 9, which was not asked for: the warehouse did not apply the filter',
    });
  });

  it('does not ask for what would be more than an id in a filter', async () => {
    const { warehouse, asked } = await openListing(hal([row(1)]));
    expect(await warehouse.listByIds('order', ['1', '2);readOnly.status==0', ''], never)).toHaveLength(1);
    expect(await warehouse.listByIds('order', ['a,b'], never)).toEqual([]);
    expect(asked()).toMatchObject([{ rql: 'readOnly.orderId=in=(1)' }]);
  });
});
