import { describe, expect, it } from 'vitest';
import { ownPartOf } from '../../../src/domain/catalogue/record-customer.ts';

const cut = (list: object): unknown =>
  JSON.parse(ownPartOf({ customerId: '418', orderId: '7' }, JSON.stringify(list)) ?? 'null');

describe('the pick list of a job for several orders', () => {
  it.each([
    [
      'lines',
      {
        readOnly: { pickJobId: 1 },
        lines: [
          { orderId: 7, qty: 2 },
          { orderId: 8, qty: 5 },
        ],
      },
      { readOnly: { pickJobId: 1 }, lines: [{ orderId: 7, qty: 2 }] },
    ],
    [
      'lines of identifiers',
      { Lines: [{ OrderIdentifier: { Id: '8' } }, { OrderIdentifier: { Id: '7' } }] },
      { Lines: [{ OrderIdentifier: { Id: '7' } }] },
    ],
    [
      'orders',
      {
        orders: [
          { readOnly: { orderId: 8 }, lines: [{ sku: 'theirs' }] },
          { readOnly: { orderId: 7 }, lines: [{ sku: 'ours' }] },
        ],
      },
      { orders: [{ readOnly: { orderId: 7 }, lines: [{ sku: 'ours' }] }] },
    ],
    [
      'orders within locations',
      { locations: [{ bin: 'A', picks: [{ order: { id: 8 } }, { order: { id: 7 } }] }] },
      { locations: [{ bin: 'A', picks: [{ order: { id: 7 } }] }] },
    ],
    ['one order', { first: { orderId: 8, name: 'theirs' }, bin: 'A' }, { bin: 'A' }],
  ])('shows an order only what is its own, of a list by %s', (_, list, own) => {
    expect(cut(list)).toEqual(own);
  });

  it('that is about another order as a whole is none of its own', () => {
    expect(ownPartOf({ customerId: '418', orderId: '7' }, '{"orderId":8,"lines":[{"sku":"theirs"}]}')).toBeUndefined();
  });

  it.each([
    ['rows of another customer', { rows: [{ customerId: 77 }, { CustomerIdentifier: { Id: 418 } }] }],
    ['ids of customers', { userId: 1, customers: [418, '77'], customerIds: [77] }],
    ['customers with ids', { userId: 1, customerIdentifiers: [{ id: 77, name: 'theirs' }, { id: 418 }] }],
    ['links', { links: { a: '/customers/418' }, rows: [{ _links: { c: [{ href: '/customers/77' }] } }] }],
    ['JSON within a text', { data: '{"rows":[{"customerId":77},{"customerId":418}]}' }],
  ])('shows a customer only what is its own, by %s', (_, record) => {
    const own = ownPartOf({ customerId: '418' }, JSON.stringify(record)) ?? '';
    expect(own).not.toMatch(/77|theirs/);
    expect(own).toMatch(/418/);
    expect(ownPartOf({ customerId: undefined }, JSON.stringify(record)) ?? '').not.toMatch(/77|418/);
  });

  it('keeps every digit of what it keeps', () => {
    const list = '{"lines":[{"orderId":7,"weight":1.50,"serial":123456789012345678901}]}';
    expect(ownPartOf({ customerId: '418', orderId: '7' }, list)).toBe(list);
  });
});
