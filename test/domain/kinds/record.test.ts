import { describe, expect, it } from 'vitest';
import type { SweptKind } from '../../../src/domain/catalogue/subject.ts';
import { advicePlaces } from '../../../src/domain/kinds/advice.ts';
import { readDeadlineFacts, readRecord, readRow } from '../../../src/domain/kinds/record.ts';
import { readAnswer } from '../../../src/warehouse/client/answer.ts';

const readAs = (kind: SweptKind, text: string | object) =>
  readAnswer(
    { method: 'GET', path: '/x/1' },
    { status: 200, headers: {}, text: typeof text === 'string' ? text : JSON.stringify(text) },
    (record) => readRow(kind, record),
  );

const read = (text: string | object) => readAs('order', text);

const snapshotOf = (readOnly: object) => read({ readOnly: { orderId: 1, ...readOnly } }).snapshot;

it('a number and a carrier are read where the account has them', () => {
  const places = { ...advicePlaces, 'order.orderNumber': 'customFields.number', 'recordCarrier.name': 'via' };
  const record = { readOnly: { orderId: 1 }, referenceNum: 'A', customFields: { number: 'B' }, via: 'UPS' };
  expect(readRow('order', record, places).snapshot.referenceNumber).toBe('B');
  expect(readDeadlineFacts('order', record, places).carrier).toBe('UPS');
});

const hal = {
  referenceNum: 'OR104582X',
  poNum: 'PO-7',
  readOnly: {
    orderId: 31004581,
    status: 1,
    isClosed: true,
    fullyAllocated: true,
    pickStarted: true,
    pickDoneDate: '2026-02-11T09:12:00',
    packStarted: true,
    packDoneDate: '2026-02-11T10:30:00',
    customerIdentifier: { externalId: '', name: 'Acme', id: 418 },
    facilityIdentifier: { name: 'North', id: 12 },
    lastModifiedByIdentifier: { name: 'pat', id: 2108 },
  },
  _links: {
    self: { href: '/orders/31004581' },
    'http://api.3plCentral.com/rels/orders/item': [{ href: '/orders/31004581/items' }],
    'http://api.3plCentral.com/rels/orders/pickjob': { href: '/orders/pickjobs/5512{?detail}', templated: true },
  },
};

const everything = {
  snapshot: {
    status: 'closed',
    fullyAllocated: true,
    pickDone: true,
    packStarted: true,
    packDone: true,
    referenceNumber: 'OR104582X',
    customerId: '418',
    customerName: 'Acme',
    facilityId: '12',
    facilityName: 'North',
    pickJobId: '5512',
  },
  lastModifiedBy: '2108',
};

describe('an order with one line', () => {
  it.each([
    ['HAL', { _embedded: { 'rels/orders/item': { qty: 1 }, 'rels/customers/customer': { id: 418 } } }],
    ['the other form', { OrderItems: { Qty: 1 } }],
  ])('may have it in place of a list: %s', (_, lines) => {
    expect(readRow('order', { readOnly: { orderId: 1 }, ...lines }).snapshot.lineCount).toBe(1);
  });
});

describe('the lines of an order', () => {
  it('are counted if they were requested', () => {
    const lines = { _embedded: { 'http://api.3plcentral.com/rels/orders/item': [{}, {}, {}] } };
    expect(read({ readOnly: { orderId: 1 }, ...lines }).snapshot).toMatchObject({ lineCount: 3 });
    expect(read({ ReadOnly: { OrderId: 1 }, Items: { ResourceList: [{}] } }).snapshot).toMatchObject({ lineCount: 1 });
    expect(snapshotOf({})).not.toHaveProperty('lineCount');
  });

  it('are those whose relation names items, wherever they are', () => {
    const rel = (name: string) => `http://api.3plCentral.com/rels/orders/${name}`;
    const linesOf = (embedded: object) => read({ readOnly: { orderId: 1 }, _embedded: embedded }).snapshot.lineCount;
    expect(linesOf({ [rel('package')]: [{}], [rel('item')]: [{}, {}] })).toBe(2);
    expect(linesOf({ [rel('package')]: [{}], [rel('note')]: [{}, {}] })).toBeUndefined();
    expect(linesOf({ lines: [{}, {}, {}] })).toBe(3);
  });
});

describe('an order', () => {
  it('is read from HAL', () => {
    expect(read(hal)).toEqual(everything);
  });

  it('is read from PascalCase, which has no links', () => {
    const pascal = JSON.stringify({ ...hal, _links: undefined }).replaceAll(
      /"([a-z])(\w*)":/g,
      (_key, first: string, rest: string) => `"${first.toUpperCase()}${rest}":`,
    );
    const { pickJobId: _, ...snapshot } = everything.snapshot;
    expect(pascal).toContain('"ReadOnly":{"OrderId":31004581');
    expect(read(pascal)).toEqual({ ...everything, snapshot });
  });

  it('needs nothing but its id', () => {
    expect(read('{"readOnly":{"orderId":1}}')).toEqual({
      snapshot: { pickDone: false, packStarted: false, packDone: false },
    });
  });

  it('is of no status that it does not show', () => {
    expect(snapshotOf({ status: null })).not.toHaveProperty('status');
    expect(snapshotOf({ status: 9 })).not.toHaveProperty('status');
    expect(snapshotOf({ fullyAllocated: 'no' })).not.toHaveProperty('fullyAllocated');
  });

  it.each([
    [{ status: 0 }, 'open'],
    [{ status: 1 }, 'closed'],
    [{ status: 2 }, 'canceled'],
    [{ status: '2' }, 'canceled'],
    [{ status: 2, isClosed: true }, 'canceled'],
    [{ isClosed: true }, 'closed'],
    [{ isClosed: false }, 'open'],
    [{ status: null, isClosed: true }, 'closed'],
    [{ status: 9, isClosed: true }, 'closed'],
    [{ status: 'length', isClosed: false }, 'open'],
  ])('of %j is %s', (readOnly, status) => {
    expect(snapshotOf(readOnly).status).toBe(status);
  });

  it.each([null, '', false, 'False', 0, '0', -1, 'null', '0001-01-01T00:00:00', '1753-01-01T00:00:00', '1900-01-01'])(
    'is neither picked nor packed while its dates are %j',
    (unset) => {
      expect(snapshotOf({ pickDoneDate: unset, packDoneDate: unset, packStarted: unset })).toMatchObject({
        pickDone: false,
        packStarted: false,
        packDone: false,
      });
    },
  );

  it.each([
    { readOnly: { customerIdentifier: { id: 77 } } },
    { ReadOnly: { CustomerIdentifier: { Id: '77' } } },
    { readOnly: { customerId: 77 } },
    { CustomerId: '77' },
    { customerIdentifier: { id: 77 } },
    { Customer: { Id: 77 } },
    { _links: { self: { href: '/customers/77/items/7001{?detail}' } } },
    { Links: [{ Rel: 'customers/customer', Href: 'https://warehouse.test/customers/77' }] },
  ])('of any kind is of whom it names, wherever it does: %j', (naming) => {
    const own = { status: 0, poNum: 'PO-77', referenceNum: 'REF-77', sku: 'REF-77', routingInfo: { carrier: 'UPS' } };
    for (const kind of ['order', 'receipt', 'adjustment', 'assembly', 'item'] as const) {
      const { snapshot, disputed } = readRecord(kind, { ...own, ...naming });
      expect({ kind, ...snapshot, disputed }).toMatchObject({ kind, customerId: '77', disputed: undefined });
      const twice = readRecord(kind, { ...own, ...naming, customer: { id: 418 }, Customer: null });
      if ('Customer' in naming) continue;
      expect({ kind, ...twice }).toMatchObject({ kind, disputed: true });
      expect(JSON.stringify(twice)).not.toMatch(/77|418|UPS/);
    }
  });

  it('last changed by the system has no user to fetch', () => {
    const modifiedBy = (id: unknown) => read({ readOnly: { orderId: 1, lastModifiedByIdentifier: { id } } });
    expect(modifiedBy(-1)).not.toHaveProperty('lastModifiedBy');
    expect(modifiedBy(null)).not.toHaveProperty('lastModifiedBy');
    expect(modifiedBy('77').lastModifiedBy).toBe('77');
  });

  it('keeps the digits of ids beyond what a number holds', () => {
    const text = '{"readOnly":{"orderId":1,"customerIdentifier":{"id":9007199254740993}}}';
    expect(read(text).snapshot.customerId).toBe('9007199254740993');
  });

  it('is read though parts that are not needed are of another type', () => {
    const odd = { referenceNum: 7, readOnly: { orderId: 1, customerIdentifier: 'Acme' }, _links: ['x', { href: 5 }] };
    expect(read(odd).snapshot).toEqual({ ...read('{"readOnly":{"orderId":1}}').snapshot, referenceNumber: '7' });
  });

  it('names its pick job in a list of links too', () => {
    const links = { self: null, jobs: [{ href: 'https://warehouse.example/api/orders/pickjobs/8/picklist?x=1' }] };
    expect(read({ readOnly: { orderId: 1 }, _links: links }).snapshot.pickJobId).toBe('8');
  });

  it('cannot smuggle in a prototype', () => {
    expect(() => read('{"__proto__":{"readOnly":{"orderId":1,"status":1}}}')).toThrow(
      'unreadable: the key "__proto__"',
    );
  });
});

describe('a receipt, adjustment or assembly as the API returns it', () => {
  const readOnly = {
    status: 1,
    customerIdentifier: { id: 418, name: 'Alder Tea Company' },
    lastModifiedByIdentifier: { id: 7 },
  };
  const snapshot = {
    status: 'closed',
    referenceNumber: 'RC1',
    customerId: '418',
    customerName: 'Alder Tea Company',
  };
  const lastModifiedBy = '7';
  const expected = { snapshot, lastModifiedBy };
  const completed = { snapshot: { ...snapshot, completed: true }, lastModifiedBy };

  it('has the facts that it shares with orders and no others', () => {
    expect(readAs('receipt', { referenceNum: 'RC1', readOnly: { receiverId: 5, ...readOnly } })).toEqual(expected);
    expect(readAs('adjustment', { referenceNum: 'RC1', readOnly })).toEqual(completed);
    expect(readAs('assembly', { ReferenceNum: 'RC1', ReadOnly: readOnly })).toEqual(completed);
  });

  it('is read without readOnly too, its facts being beside each other', () => {
    expect(readAs('receipt', { referenceNum: 'RC1', ...readOnly })).toEqual(expected);
    expect(readAs('adjustment', { referenceNum: 'RC1', id: 5, ...readOnly })).toEqual(completed);
  });

  it.each([
    [
      { status: 0, deferNotification: true },
      { status: 'open', completed: false },
    ],
    [
      { status: 0, deferNotification: false },
      { status: 'open', completed: true },
    ],
    [{ status: 0 }, { status: 'open' }],
    [{ deferNotification: false }, { completed: true }],
    [{ status: 2, deferNotification: false }, { status: 'canceled' }],
  ])('is completed, if it is an adjustment, as deferNotification says: %j', (facts, shown) => {
    expect(readAs('adjustment', { readOnly: { adjustmentId: 1, ...facts } })).toEqual({ snapshot: shown });
    expect(readAs('receipt', { readOnly: { receiverId: 1, ...facts } }).snapshot).not.toHaveProperty('completed');
  });

  it('is unreadable without any fact', () => {
    expect(readAs('adjustment', { adjustment: 5 })).toEqual({ snapshot: {}, isUnreadable: true });
  });
});
