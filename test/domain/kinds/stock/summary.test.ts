import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStockId, readStockSummary, stockId } from '../../../../src/domain/kinds/stock/summary.ts';
import { anyText } from '../../../support/any-text.ts';

describe('the id of a stock summary', () => {
  it.each([
    [{ facilityId: '12', itemId: '7001', qualifier: '' }, '12.7001.'],
    [{ facilityId: '12', itemId: '7001', qualifier: 'RED/XL:1' }, '12.7001.RED%2FXL%3A1'],
  ])('of %j is %s', (key, id) => {
    expect(stockId(key)).toBe(id);
  });

  it('parses back to its key, whatever the qualifier', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), anyText(), (facility, item, qualifier) => {
        const key = { facilityId: String(facility), itemId: String(item), qualifier };
        expect(parseStockId(stockId(key))).toEqual(key);
      }),
    );
  });

  it.each(['', '12', '12.7001', '.7001.', '12.7001.%'])('is not %j', (id) => {
    expect(parseStockId(id)).toBeUndefined();
  });
});

describe('a stock summary', () => {
  const reader = (row: object) => (first: string, second?: string) => {
    const value = (row as Record<string, unknown>)[first];
    return second === undefined ? value : (value as Record<string, unknown> | undefined)?.[second];
  };

  it('is read with its key and its levels; what is no number is left out', () => {
    const row = {
      facilityid: 12,
      itemidentifier: { id: 7001, sku: 'TEA' },
      qualifier: 'RED',
      onhand: 4,
      available: '3.50',
      allocated: 'some',
    };
    expect(readStockSummary(reader(row))).toEqual({
      key: { facilityId: '12', itemId: '7001', qualifier: 'RED' },
      snapshot: { facilityId: '12', referenceNumber: 'TEA', levels: { available: 3.5, onHand: 4 } },
    });
  });

  it('that names no facility or no item is none', () => {
    expect(readStockSummary(reader({ itemidentifier: { id: 7001 } }))).toBeUndefined();
    expect(readStockSummary(reader({ facilityid: 12 }))).toBeUndefined();
    expect(readStockSummary(reader({ facilityid: '1.2', itemidentifier: { id: 7001 } }))).toBeUndefined();
  });
});
