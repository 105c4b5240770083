import { describe, expect, it } from 'vitest';
import { completeFacts, foldTerm, readFacts, termsOf } from '../../../src/domain/catalogue/record-facts.ts';
import { advicePlaces } from '../../../src/domain/kinds/advice.ts';
import { orderOf } from '../../support/make.ts';

const order = {
  referenceNum: 'WEB-1',
  PoNum: ' PO 77 ',
  externalId: 'shop-9',
  routingInfo: { carrier: 'UPS', mode: 'Ground', trackingNumber: '1Z9' },
  shipTo: { city: 'New York' },
  readOnly: { orderId: 31, packages: [{ trackingNumber: '1Z9' }, { trackingNumber: 12345678901 }, null, 'x'] },
  _embedded: {
    'http://api/rels/orders/item': [
      { itemIdentifier: { sku: 'MUG' }, qty: 2 },
      { itemIdentifier: { sku: 'MUG' } },
      { itemIdentifier: null },
    ],
  },
};

describe('tracking numbers', () => {
  const relation = 'http://api.3plCentral.com/rels/orders/package';

  it.each([
    ["the carrier's response", { parcelResponse: { trackingNumbers: ['1Z1', '1Z2'] } }],
    ["the carrier's response in readOnly", { ReadOnly: { ParcelResponse: { TrackingNumbers: ['1Z1', '1Z2'] } } }],
    [
      "objects of the carrier's response",
      { parcelResponse: { trackingNumbers: [{ trackingNumber: '1Z1' }, { trackingNumber: '1Z2' }] } },
    ],
    [
      'embedded packages',
      { _embedded: { [relation]: [{ trackingNumber: '1Z1' }, { trackingNumber: '1Z2' }], item: [] } },
    ],
    [
      'packages in the other form',
      { packages: { ResourceList: [{ TrackingNumber: '1Z1' }, { TrackingNumber: '1Z2' }] } },
    ],
    ['one text', { routingInfo: { trackingNumber: '1Z1, 1Z2' } }],
    [
      'several places, each once',
      {
        routingInfo: { trackingNumber: '1Z1' },
        readOnly: { packages: [{ trackingNumber: '1Z1' }] },
        trackingNumber: '1Z2',
      },
    ],
  ])('are found in %s', (_, record) => {
    expect(readFacts('order', record).trackingNumbers).toEqual(['1Z1', '1Z2']);
  });

  it.each([{ trackingNumber: 'N/A' }, { parcelResponse: { trackingNumbers: [null, '', '(null)', {}] } }])(
    'that say nothing are none: %j',
    (record) => {
      expect(readFacts('order', record)).not.toHaveProperty('trackingNumbers');
    },
  );
});

describe('the facts of a record', () => {
  it('are what people look for, each once', () => {
    expect(readFacts('order', order)).toEqual({
      poNumber: 'PO 77',
      externalId: 'shop-9',
      carrier: 'UPS',
      service: 'Ground',
      trackingNumbers: ['1Z9', '12345678901'],
      skus: ['MUG'],
      city: 'New York',
    });
  });

  it('are those of its kind, where the account says that they are', () => {
    const receipt = {
      routingInfo: { carrier: 'UPS' },
      trackingNumber: '1Z9',
      receiveItems: [{ itemIdentifier: { sku: 'MUG' } }],
    };
    expect(readFacts('receipt', receipt)).toEqual({ carrier: 'UPS', trackingNumbers: ['1Z9'], skus: ['MUG'] });
    const assembly = { itemIdentifier: { sku: 'SET' }, components: [{ itemIdentifier: { sku: 'MUG' } }] };
    expect(readFacts('assembly', assembly)).toEqual({ skus: ['SET', 'MUG'] });
    const places = { ...advicePlaces, 'order.poNumber': 'customFields.po' };
    expect(readFacts('order', { poNum: '1', customFields: { po: '2' } }, places)).toEqual({ poNumber: '2' });
  });

  it.each([null, 7, 'text', [], {}, { routingInfo: 'UPS', readOnly: { packages: 7 }, poNum: {} }])(
    'of %j are none',
    (record) => {
      expect(readFacts('order', record)).toEqual({});
    },
  );

  it('are bounded, whatever a record has', () => {
    const packages = Array.from({ length: 5000 }, (_, n) => ({ trackingNumber: `T${n}` }));
    const facts = readFacts('order', { poNum: 'x'.repeat(100_000), readOnly: { packages } });
    expect(facts.poNumber).toHaveLength(200);
    expect(facts.trackingNumbers).toHaveLength(1000);
  });

  it('stay where a later answer has none of them', () => {
    const known = completeFacts(readFacts('order', order), { customerName: 'Alder', levels: { onHand: 4 } });
    expect(completeFacts(known, {})).toEqual(known);
    expect(completeFacts({ carrier: 'DHL' }, { customerName: 'Beech' })).toEqual({
      carrier: 'DHL',
      customerName: 'Beech',
    });
  });
});

describe('the terms of a subject', () => {
  it('are folded, distinct and not empty', () => {
    const facts = completeFacts(readFacts('order', order), { customerName: 'Alder  &  Sons' });
    const subject = orderOf('31');
    expect(termsOf(subject, facts, 'WEB-1')).toEqual([
      '31',
      'web-1',
      'po 77',
      'shop-9',
      'alder & sons',
      'new york',
      '1z9',
      '12345678901',
      'mug',
      'sons',
      'york',
    ]);
    expect(termsOf(subject, { poNumber: '\0', externalId: 'WEB-1' }, 'web-1')).toEqual(['31', 'web-1']);
  });

  it('are found whatever the case, the width and the blanks are', () => {
    expect(foldTerm(' ＰＯ\t77 ')).toBe('po 77');
    for (const texts of [
      ['ÄRGER', 'ärger', 'A\u0308rger', 'Arger'],
      ['İSTANBUL', 'istanbul', 'ISTANBUL', 'ıstanbul', 'i\u0307stanbul'],
      ['STRASSE', 'straße', 'STRAẞE', 'Strasse'],
      ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'Ὀδυσσεύς'],
      ['ﬁlter', 'FILTER', 'Ｆｉｌｔｅｒ', 'fil\u200bter', 'fil\u00adter'],
      ['한국', '한국'.normalize('NFD')],
    ]) {
      expect(new Set(texts.map(foldTerm)), texts.join()).toHaveProperty('size', 1);
      for (const text of texts) expect(foldTerm(foldTerm(text))).toBe(foldTerm(text));
    }
    expect(foldTerm('x'.repeat(500))).toHaveLength(100);
  });
});
