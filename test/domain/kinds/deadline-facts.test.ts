import { describe, expect, it } from 'vitest';
import { readDeadlineFacts } from '../../../src/domain/kinds/record.ts';

const order = {
  referenceNum: 'A1',
  earliestShipDate: '2026-02-11T00:00:00',
  ShipCancelDate: '2026-02-13T00:00:00',
  routingInfo: { carrier: 'UPS', mode: 'Next Day Air' },
  savedElements: [
    { name: 'Must Ship By', value: '2026-02-12' },
    { name: 'must ship by', value: '2026-02-28' },
    { name: 'GiftWrap', value: 'false' },
  ],
  readOnly: { orderId: 1, creationDate: '2026-02-10T09:12:00.0630000' },
};

describe('the facts of a record that decide when it is due', () => {
  it('are its carrier, its service and its times', () => {
    expect(readDeadlineFacts('order', order)).toEqual({
      carrier: 'UPS',
      service: 'Next Day Air',
      dates: {
        created: '2026-02-10T09:12:00.0630000',
        earliestShipDate: '2026-02-11T00:00:00',
        shipCancelDate: '2026-02-13T00:00:00',
        'savedElements.must ship by': '2026-02-12',
        'savedElements.giftwrap': 'false',
      },
    });
  });

  it('are those of its kind', () => {
    const receipt = { arrivalDate: '2026-02-11', expectedDate: '2026-02-12', earliestShipDate: '2026-02-13' };
    expect(readDeadlineFacts('receipt', receipt).dates).toEqual({
      arrivalDate: '2026-02-11',
      expectedDate: '2026-02-12',
    });
  });

  it.each([
    ['no record', undefined],
    ['null', null],
    ['a list', []],
    ['a text', 'order'],
    ['elements that are none', { savedElements: { name: 'x', value: 'y' } }],
    ['elements of any form', { savedElements: [null, 1, 'x', {}, { name: {}, value: [] }, { name: 'a' }, [[]]] }],
    ['routing of another form', { routingInfo: ['UPS'] }],
    ['times of another form', { readOnly: { creationDate: { year: 2026 } }, shipCancelDate: ['2026-02-11'] }],
    [
      'endless texts',
      { shipCancelDate: '2'.repeat(1_000_000), savedElements: [{ name: 'a', value: '2'.repeat(1e6) }] },
    ],
  ])('are absent from %s', (_, record) => {
    const { carrier, service, dates } = readDeadlineFacts('order', record);
    expect([carrier, service, ...Object.values(dates)].filter((fact) => fact !== undefined)).toEqual([]);
  });

  it('have no effect on members of every object', () => {
    const hostile = JSON.parse(
      '{"__proto__":{"shipCancelDate":"2026-02-11"},"savedElements":[{"name":"__proto__","value":"1"}]}',
    );
    expect(readDeadlineFacts('order', hostile).dates).toEqual({ 'savedElements.__proto__': '1' });
  });

  it('are read from many elements at once', () => {
    const savedElements = Array.from({ length: 100_000 }, (_, n) => ({ name: `n${n}`, value: '2026-02-11' }));
    expect(Object.keys(readDeadlineFacts('order', { savedElements }).dates)).toHaveLength(100_003);
  });
});
