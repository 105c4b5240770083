import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advicePlaces, changedMembers, readAdvice } from '../../../src/domain/kinds/advice.ts';
import { orderAdvice } from '../../../src/domain/kinds/order/advice.ts';

const items = 'http://api.3plCentral.com/rels/orders/item';
const read = (record: unknown) => readAdvice('order', record, advicePlaces);

const line = {
  readOnly: { orderItemId: 11, fullyAllocated: true, unitIdentifier: { name: 'Each', id: 1 } },
  itemIdentifier: { sku: 'MUG', id: 7 },
  qualifier: 'RED',
  externalId: 'l-1',
  qty: 12.5,
};
const other = {
  ...line,
  readOnly: { ...line.readOnly, orderItemId: 12 },
  itemIdentifier: { sku: 'TEA', id: 8 },
  qty: 2,
};

/** Closed order of two lines. */
const closed = (readOnly: object = {}, lines: readonly object[] = [line, other]) => ({
  referenceNum: 'WEB-1',
  poNum: 'PO 77',
  routingInfo: { carrier: 'UPS', mode: 'Ground', scacCode: 'UPSN', trackingNumber: '1Z999AA10123456784' },
  shipTo: {
    companyName: 'Corner Store',
    name: 'A. Example',
    address1: '1 High St',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
    country: 'US',
  },
  readOnly: {
    orderId: 31,
    status: 1,
    processDate: '2026-02-11T16:42:19.0630000',
    customerIdentifier: { id: 418, name: 'Cobalt' },
    ...readOnly,
  },
  _embedded: { [items]: lines },
});

const packed = (contents: readonly object[], ...others: readonly object[]) => ({
  packages: [
    {
      packageId: 5,
      trackingNumber: '1Z999AA10123456784',
      weight: 2.5,
      ucc128: '340123450000000012',
      packageContents: contents,
    },
    ...others,
  ],
});

const quantities = (record: unknown) =>
  read(record).lines?.map(({ ordered, allocated, picked, packed, shipped, short, basis }) =>
    Object.fromEntries(
      Object.entries({ ordered, allocated, picked, packed, shipped, short, basis }).filter(
        ([, it]) => it !== undefined,
      ),
    ),
  );

describe('the quantities of a line', () => {
  const whole = { packages: 12.5, other: 2 };
  it.each([
    ['of an open order', { status: 0 }, [line], [{ ordered: 12.5, allocated: 12.5 }]],
    [
      'are those in packages, and what is in none is short',
      packed([
        { orderItemId: 11, qty: 12.1 },
        { orderItemId: 11, qty: 0.2 },
      ]),
      [line, other],
      [
        { ordered: 12.5, allocated: 12.5, packed: 12.3, shipped: 12.3, short: 0.2, basis: 'packages' },
        { ordered: 2, allocated: 2, packed: 0, shipped: 0, short: 2, basis: 'packages' },
      ],
    ],
    [
      'are those of allocations without contents of packages',
      packed([]),
      [
        {
          ...line,
          readOnly: {
            ...line.readOnly,
            allocations: [
              { qty: 10, properlyPickedPrimary: 9 },
              { qty: 2.5, properlyPickedPrimary: 2.5 },
            ],
          },
        },
      ],
      [{ ordered: 12.5, allocated: 12.5, picked: 11.5, shipped: 12.5, short: 0, basis: 'allocations' }],
    ],
    [
      'are all that was ordered where nothing else is said',
      {},
      [line],
      [{ ordered: 12.5, allocated: 12.5, shipped: 12.5, short: 0, basis: 'line' }],
    ],
    [
      'are not known of a line that says that it is not fully allocated',
      {},
      [{ ...line, readOnly: { ...line.readOnly, fullyAllocated: false } }],
      [{ ordered: 12.5 }],
    ],
    [
      'are not taken from packages whose contents are of no known line',
      packed([{ orderItemId: 99, qty: whole.packages }]),
      [line],
      [{ ordered: 12.5, allocated: 12.5, shipped: 12.5, short: 0, basis: 'line' }],
    ],
    [
      'are counted in the unit of stock where the line was ordered in another',
      {},
      [{ ...line, readOnly: { ...line.readOnly, isOrderQtySecondary: true, originalPrimaryQty: 150 } }],
      [{ ordered: 150, allocated: 150, shipped: 150, short: 0, basis: 'line' }],
    ],
  ])('%s', (_, readOnly, lines, expected) => {
    expect(quantities(closed(readOnly, lines))).toEqual(expected);
  });
});

describe('a shipping advice', () => {
  const lot = { lotNumber: 'L1', expirationDate: '2027-01-31T00:00:00' };
  const contents = [
    { orderItemId: 11, qty: 12, ...lot, serialNumbers: ['S1', 'S2'] },
    { orderItemId: 11, qty: 0.5, ...lot, serialNumber: 'S3' },
    { orderItemId: 12, qty: 2 },
  ];

  it('says what shipped, in which parcels, to whom and by whom', () => {
    expect(read(closed(packed(contents)))).toEqual({
      orderNumber: 'WEB-1',
      poNumber: 'PO 77',
      customer: { id: '418', name: 'Cobalt' },
      isShipped: true,
      shippedAt: '2026-02-11T16:42:19.063',
      isComplete: true,
      carrier: { name: 'UPS', scac: 'UPSN' },
      service: 'Ground',
      trackingNumbers: ['1Z999AA10123456784'],
      trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
      shipTo: {
        company: 'Corner Store',
        name: 'A. Example',
        lines: ['1 High St'],
        city: 'Austin',
        region: 'TX',
        postalCode: '78701',
        country: 'US',
      },
      lines: [
        {
          lineId: '11',
          externalId: 'l-1',
          sku: 'MUG',
          itemId: '7',
          qualifier: 'RED',
          unit: 'Each',
          ordered: 12.5,
          allocated: 12.5,
          packed: 12.5,
          shipped: 12.5,
          short: 0,
          basis: 'packages',
          lots: [{ lotNumber: 'L1', expiresOn: '2027-01-31', serialNumbers: ['S1', 'S2', 'S3'], quantity: 12.5 }],
        },
        {
          lineId: '12',
          externalId: 'l-1',
          sku: 'TEA',
          itemId: '8',
          qualifier: 'RED',
          unit: 'Each',
          ordered: 2,
          allocated: 2,
          packed: 2,
          shipped: 2,
          short: 0,
          basis: 'packages',
        },
      ],
      parcels: [
        {
          id: '5',
          trackingNumber: '1Z999AA10123456784',
          trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
          sscc: '340123450000000012',
          weight: 2.5,
          lines: [
            {
              lineId: '11',
              sku: 'MUG',
              quantity: 12,
              lotNumber: 'L1',
              expiresOn: '2027-01-31',
              serialNumbers: ['S1', 'S2'],
            },
            {
              lineId: '11',
              sku: 'MUG',
              quantity: 0.5,
              lotNumber: 'L1',
              expiresOn: '2027-01-31',
              serialNumbers: ['S3'],
            },
            { lineId: '12', sku: 'TEA', quantity: 2 },
          ],
        },
      ],
      totals: { lines: 2, units: 14.5, parcels: 1, serialNumbers: 3 },
    });
  });

  const order = closed(packed(contents));
  const pascal = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(pascal);
    if (typeof value !== 'object' || value === null) return value;
    const { _embedded, ...members } = value as Record<string, unknown>;
    const lines = (_embedded as Record<string, unknown> | undefined)?.[items];
    const renamed = Object.entries(members).map(([name, member]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      pascal(member),
    ]);
    return { ...Object.fromEntries(renamed), ...(lines !== undefined && { OrderItems: pascal(lines) }) };
  };
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [name, shuffled(member)]);
    return { unheardOf: { qty: 7, lotNumber: 'X' }, ...Object.fromEntries(members.toReversed()) };
  };
  const { packages, ...readOnly } = order.readOnly as unknown as Record<string, unknown>;
  const embedded = { 'http://api.3plCentral.com/rels/orders/package': packages, ...order._embedded };

  it.each([
    ['in the other form', pascal(order)],
    ['with its members in another order, and further ones', shuffled(order)],
    ['with its packages embedded', { ...order, readOnly, _embedded: embedded }],
    ['with its packages in both places', { ...order, _embedded: embedded }],
    [
      'as a page lists it: one line as an object',
      { ...closed(packed(contents), []), _embedded: { [items]: order._embedded[items] } },
    ],
  ])('is the same of a record %s', (_, record) => {
    expect(read(record)).toEqual(read(order));
  });

  it('takes serial numbers that were scanned for an item to its only line, and to none of several', () => {
    const scanned = [{ itemIdentifier: { sku: 'MUG', id: 7 }, qualifier: 'RED', serialNumbers: ['S1'] }];
    const lotsOf = (lines: readonly object[]) =>
      read(closed({ outboundSerialNumbers: scanned }, lines)).lines?.map(({ lots }) => lots);
    expect(lotsOf([line, other])).toEqual([[{ serialNumbers: ['S1'], quantity: 12.5 }], undefined]);
    expect(lotsOf([line, { ...line, readOnly: { ...line.readOnly, orderItemId: 13 } }])).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('says less of an order that has not shipped', () => {
    const open = read(closed({ status: 0 }));
    expect(open).toMatchObject({ isShipped: false, totals: { lines: 2 } });
    for (const member of ['shippedAt', 'isComplete']) expect(open).not.toHaveProperty(member);
  });

  it('is cut where a list is too long, with the counts of the whole', () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({
      ...line,
      readOnly: { ...line.readOnly, orderItemId: index + 1 },
    }));
    const serialNumbers = Array.from({ length: 20_000 }, (_, index) => `SERIAL-${index}`);
    const advice = read(closed(packed([{ orderItemId: 1, qty: 1, serialNumbers }]), many));
    expect(advice).toMatchObject({ isCut: true, totals: { lines: 5000, serialNumbers: 20_000 } });
    expect(advice.lines).toHaveLength(1000);
    expect(advice.lines?.[0]?.lots?.[0]?.serialNumbers).toHaveLength(5000);
    expect(Buffer.byteLength(JSON.stringify(advice))).toBeLessThan(1_000_000);
  });

  it('of any record meets its form', () => {
    const names = fc.constantFrom(
      'readOnly',
      'status',
      'packages',
      'packageContents',
      'qty',
      'orderItemId',
      '_embedded',
      items,
      'allocations',
      'routingInfo',
      'trackingNumber',
      'shipTo',
      'name',
      'lotNumber',
      'billing',
      'billingCharges',
      'totalWeight',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, 0, 1, 2.5, '', 'x', true, '2026-02-11', '9999-12-31'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (record) => {
        expect(orderAdvice.form.safeParse(read(record)).error).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('the members of an advice that differ', () => {
  it('are named by their paths, lists of texts as a whole', () => {
    const before = { trackingNumbers: ['1'], lines: [{ shipped: 1 }, { shipped: 2 }], carrier: { name: 'UPS' } };
    const after = {
      trackingNumbers: ['1', '2'],
      lines: [{ shipped: 1 }, { shipped: 1, short: 1 }, { shipped: 3 }],
      orderNumber: 'A',
    };
    expect(changedMembers(before, after)).toEqual([
      'trackingNumbers',
      'lines.1.shipped',
      'lines.1.short',
      'lines.2',
      'carrier',
      'orderNumber',
    ]);
    expect(changedMembers(after, after)).toEqual([]);
  });
});
