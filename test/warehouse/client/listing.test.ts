import { describe, expect, it } from 'vitest';
import { standardProperties } from '../../../src/domain/catalogue/properties.ts';
import type { ListQuery } from '../../../src/warehouse/gets.ts';
import { never, openWarehouse } from '../open-warehouse.ts';
import type { Reply } from '../recording-server.ts';

const since = Date.parse('2026-02-11T10:00:00.500Z');
const changed: ListQuery = { kind: 'order', since, page: 1, pageSize: 200 };
const third: ListQuery = { ...changed, page: 3 };

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
      count: 0,
      total: 0,
      by: { filter: 'changed', sorted: true },
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
    const { rows, total } = await warehouse.list(changed, never);
    expect(total).toBe(7);
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
    const { rows, limitation } = await warehouse.list(changed, never);
    expect(rows).toMatchObject([{ id: '1' }, { id: '31004581' }]);
    expect(limitation).toBeUndefined();
    expect(asked()).toHaveLength(1);
  });

  it.each([
    ['is older than zones differ', { lastModifiedDate: '2026-02-10T07:59:59.999' }],
    ['has no time, and is closed', { lastModifiedDate: null, status: 1 }],
  ])('goes on without the filter, and says so, if a row %s: it is ignored', async (_, facts) => {
    const { warehouse, asked } = await openListing(hal([row(1), row(31004581, facts)]));
    const { rows, by, limitation } = await warehouse.list(changed, never);
    expect(rows).toMatchObject([{ id: '1' }]);
    expect(by).toEqual({ filter: 'open', sorted: true });
    expect(asked()).toMatchObject([{ rql: expect.stringContaining('=ge=') }, { rql: 'readOnly.isClosed==false' }]);
    expect(limitation).toBe(
      'the warehouse ignores the filter by readOnly.lastModifiedDate (set order.changed in WAREHOUSE_PROPERTIES); ' +
        'only open ones were listed: a closed one of which no event arrived is not found',
    );
  });

  it('leaves old rows out, and says so, if only a later page shows that the filter is ignored', async () => {
    const { warehouse } = await openListing(hal([row(7), row(8, { lastModifiedDate: '2025-01-01T00:00:00' })]));
    const by = { filter: 'changed', sorted: true } as const;
    const page = await warehouse.list({ ...third, by, anchor: '6' }, never);
    expect(page).toMatchObject({
      count: 2,
      rows: [{ id: '7' }],
      limitation: expect.stringMatching(/ignores the filter/),
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

/** A warehouse that refuses queries whose filter or sort has one of these properties. */
async function openRefusing(...refused: readonly string[]) {
  const { warehouse, gets } = await openWarehouse({
    api: ({ target }) => {
      const query = decodeURIComponent(target);
      return refused.some((property) => query.includes(`rql=${property}`) || query.includes(`sort=${property}`))
        ? { status: 400, body: { ErrorCode: 'NotSupported', Hint: 'Properties not supported' } }
        : { body: hal([row(1), row(2, { lastModifiedDate: '2026-02-10T09:00:00' }), row(3, { status: 1 })]) };
    },
  });
  const queries = () => gets().map(({ target }) => decodeURIComponent(target).replace(/.*pgnum=\d+&?/, ''));
  return { warehouse, queries };
}

describe('a listing whose properties the warehouse refuses', () => {
  it('of the time of change lists the open ones, and leaves out those that did not change since', async () => {
    const { warehouse, queries } = await openRefusing('readOnly.lastModifiedDate');
    const { rows, count, by, limitation } = await warehouse.list(changed, never);
    expect(rows.map(({ id }) => id)).toEqual(['1', '3']);
    expect({ count, by }).toEqual({ count: 3, by: { filter: 'open', sorted: true } });
    expect(queries().at(-1)).toBe('rql=readOnly.isClosed==false&sort=readOnly.orderId');
    expect(limitation).toBe(
      'the warehouse refuses to filter by readOnly.lastModifiedDate (set order.changed in WAREHOUSE_PROPERTIES); ' +
        'only open ones were listed: a closed one of which no event arrived is not found',
    );
  });

  it('of both filters lists everything', async () => {
    const { warehouse, queries } = await openRefusing('readOnly.lastModifiedDate', 'readOnly.isClosed');
    const { rows, by, limitation } = await warehouse.list(changed, never);
    expect(rows.map(({ id }) => id)).toEqual(['1', '3']);
    expect(by).toEqual({ filter: 'all', sorted: true });
    expect(queries().at(-1)).toBe('sort=readOnly.orderId');
    expect(limitation).toMatch(/; all pages were read instead$/);
  });

  it('of the order keeps its filter', async () => {
    const { warehouse } = await openRefusing('readOnly.orderId');
    const since = Date.parse('2026-02-10T00:00:00Z');
    const { by, limitation } = await warehouse.list({ ...changed, since }, never);
    expect(by).toEqual({ filter: 'changed', sorted: false, byNumber: true });
    expect(limitation).toBe('the warehouse refuses to sort by readOnly.orderId (set order.id in WAREHOUSE_PROPERTIES)');
  });

  it('requests the following pages as the first, in one GET each', async () => {
    const { warehouse, queries } = await openRefusing('readOnly.lastModifiedDate');
    const page = await warehouse.list({ ...changed, by: { filter: 'open', sorted: true } }, never);
    expect(page.limitation).toBeUndefined();
    expect(queries()).toEqual(['rql=readOnly.isClosed==false&sort=readOnly.orderId']);
  });

  it('fails as its first request did if every request is refused', async () => {
    const { warehouse, asked } = await openListing({ ErrorCode: 'NotParsable' }, { status: 400 });
    await expect(warehouse.list(changed, never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_REFUSED', status: 400 });
    expect(asked()).toHaveLength(6);
  });

  it('of the ids says so', async () => {
    const { warehouse } = await openRefusing('readOnly.orderId');
    expect(await warehouse.listByIds('order', ['1'], never)).toEqual({
      rows: null,
      limitation: expect.stringContaining(
        'refuses to filter by readOnly.orderId (set order.id in WAREHOUSE_PROPERTIES)',
      ),
    });
  });
});

describe('the next page of a listing', () => {
  const by = { filter: 'changed', sorted: true } as const;

  it('is what follows the last id, so that a row which leaves meanwhile moves no other past it', async () => {
    const { warehouse, asked } = await openListing(hal([row(8), row(9)], { totalResults: 5 }));
    const { anchor, ...page } = await warehouse.list({ ...third, by, anchor: '7' }, never);
    expect(asked()).toMatchObject([
      { pgnum: '1', rql: 'readOnly.lastModifiedDate=ge=2026-02-11T10:00:00;readOnly.orderId=gt=7' },
    ]);
    expect(anchor).toBe('9');
    expect(page).toMatchObject({ by, count: 2, total: 5 });
  });

  it('of all rows has that filter alone', async () => {
    const { warehouse, asked } = await openListing(hal([row(8)]));
    await warehouse.list({ ...third, by: { filter: 'all', sorted: true }, anchor: '7' }, never);
    expect(asked()).toMatchObject([{ rql: 'readOnly.orderId=gt=7' }]);
  });

  it.each([
    ['refuses that filter', { status: 400, body: { ErrorCode: 'NotSupported' } }],
    ['does not apply it', { body: hal([row(7), row(8)]) }],
  ])('has a number if the warehouse %s', async (_, answer) => {
    const { warehouse, gets } = await openWarehouse({
      api: ({ target }) =>
        decodeURIComponent(target).includes('=gt=') ? answer : { body: hal([row(3), row(4)], { totalResults: 9 }) },
    });
    const page = await warehouse.list({ ...third, by, anchor: '7' }, never);
    expect(page).toMatchObject({ anchor: '3', by: { ...by, byNumber: true } });
    expect(gets()).toHaveLength(2);
    expect(gets()[1]?.target).toContain('pgnum=3&');
  });

  it.each([
    ['sorts otherwise', [row(3), row(1)]],
    ['repeats a row', [row(3), row(3)]],
    ['has ids that are no numbers', [row(3, { orderId: 'a-1' })]],
  ])('has a number if the warehouse %s', async (_, rows) => {
    const { warehouse } = await openListing(hal(rows));
    const first = await warehouse.list(changed, never);
    expect(first.by).toEqual({ ...by, byNumber: true });
  });

  it('that begins as the page before is none: the warehouse does not turn pages', async () => {
    const { warehouse } = await openListing(hal([row(3), row(4)], { totalResults: 7 }));
    const next = { ...third, by: { ...by, byNumber: true }, anchor: '3' } as const;
    await expect(warehouse.list(next, never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_UNFILTERED',
      message: 'page 3 of orders begins as page 2 does: the warehouse does not turn pages',
    });
    expect(await warehouse.list({ ...next, anchor: '4' }, never)).toMatchObject({ count: 2 });
    expect(await warehouse.list({ ...next, page: 1 }, never)).toMatchObject({ count: 2 });
  });

  it('is the end, which is said, where a listing of no other total begins as the page before', async () => {
    const { warehouse } = await openListing(hal([row(3), row(4)]));
    expect(await warehouse.list({ ...third, by: { ...by, byNumber: true }, anchor: '3' }, never)).toEqual({
      rows: [],
      count: 0,
      by: { ...by, byNumber: true },
      limitation: 'page 3 of orders begins as page 2 does: the warehouse does not turn pages',
    });
  });

  it.each([204, 404])('without rows may be answered %i, once the listing has answered', async (status) => {
    const answers: Reply[] = [{ body: hal([row(1)]) }];
    const { warehouse } = await openWarehouse({ api: () => answers.shift() ?? { status, body: '' } });
    expect(await warehouse.list(changed, never)).toMatchObject({ count: 1 });
    expect(await warehouse.list({ ...changed, page: 2, by, anchor: '1' }, never)).toMatchObject({ rows: [], count: 0 });
    expect(await warehouse.listByIds('order', ['1'], never)).toEqual({ rows: [] });
  });

  it('is not there where the listing has always been answered 404', async () => {
    const { warehouse } = await openListing('', { status: 404 });
    await expect(warehouse.list(changed, never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_NOT_FOUND' });
  });
});

describe('the listing of open subjects', () => {
  it('filters them, however long ago they changed', async () => {
    const { warehouse, queries } = await openRefusing();
    const { rows, by } = await warehouse.list({ ...changed, since: null }, never);
    expect(rows.map(({ id }) => id)).toEqual(['1', '2']);
    expect(by).toEqual({ filter: 'open', sorted: true });
    expect(queries()).toEqual(['rql=readOnly.isClosed==false&sort=readOnly.orderId']);
  });

  it('reads every page if the warehouse refuses that filter', async () => {
    const { warehouse } = await openRefusing('readOnly.isClosed');
    const { rows, limitation } = await warehouse.list({ ...changed, since: null }, never);
    expect(rows.map(({ id }) => id)).toEqual(['1', '2']);
    expect(limitation).toMatch(/^the warehouse refuses to filter by readOnly.isClosed \(set order.closed/);
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
  it('requests them, and again those that a page lacks, as long as it has others', async () => {
    const { warehouse, gets } = await openWarehouse({
      api: ({ target }) => {
        const ids = /\((.*)\)/.exec(decodeURIComponent(target))?.[1]?.split(',') ?? [];
        const listed = ids.filter((id) => id !== '2').slice(0, 2);
        return { body: hal(listed.map((id) => row(Number(id)))) };
      },
    });
    expect(await warehouse.listByIds('order', ['1', '2', '3', '4', '5'], never)).toMatchObject({
      rows: ['1', '3', '4', '5'].map((id) => ({ id })),
    });
    const filters = gets().map(({ target }) => /rql=.*?\((.*)\)/.exec(decodeURIComponent(target))?.[1]);
    expect(filters).toEqual(['1,2,3,4,5', '2,4,5', '2']);
  });

  it('says that the filter is ignored if a row does not match', async () => {
    const { warehouse } = await openListing(hal([row(1), row(9)]));
    expect(await warehouse.listByIds('order', ['1', '2'], never)).toEqual({
      rows: null,
      limitation:
        'the warehouse ignores the filter by readOnly.orderId (set order.id in WAREHOUSE_PROPERTIES); ' +
        'open ones that did not change lately were not compared',
    });
  });

  it('does not ask for what would be more than an id in a filter', async () => {
    const { warehouse, asked } = await openListing(hal([row(1)]));
    expect(await warehouse.listByIds('order', ['1', '2);readOnly.status==0', ''], never)).toMatchObject({ rows: [{}] });
    expect(await warehouse.listByIds('order', ['a,b'], never)).toEqual({ rows: [] });
    expect(asked()).toMatchObject([{ rql: 'readOnly.orderId=in=(1)' }]);
  });
});
