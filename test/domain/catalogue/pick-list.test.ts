import { describe, expect, it } from 'vitest';
import { pickListOf } from '../../../src/domain/catalogue/pick-list.ts';

const cut = (list: object): unknown => JSON.parse(pickListOf('7', JSON.stringify(list)) ?? 'null');

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
    expect(pickListOf('7', '{"orderId":8,"lines":[{"sku":"theirs"}]}')).toBeUndefined();
  });

  it('keeps every digit of what it keeps', () => {
    const list = '{"lines":[{"orderId":7,"weight":1.50,"serial":123456789012345678901}]}';
    expect(pickListOf('7', list)).toBe(list);
  });
});
