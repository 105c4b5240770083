import { describe, expect, it } from 'vitest';
import { type Evidence, isWell, summarize } from '../../../sandbox/demonstration/summary.ts';
import type { SubjectTruth } from '../../../sandbox/simulator/state/book.ts';

const order = (...events: readonly (readonly [name: string, milestone: string, fate: string])[]): SubjectTruth =>
  ({
    kind: 'order',
    id: '31',
    tenant: '9104',
    scenario: null,
    stage: 'confirmed',
    events: events.map(([name, milestone, fate], index) => ({
      id: `9104:${index}`,
      name,
      milestone,
      time: index,
      fate,
    })),
  }) as SubjectTruth;

const straight = order(['OrderCreate', 'created', 'delivered'], ['OrderConfirm', 'confirmed', 'delivered']);

const evidence: Evidence = {
  truth: [straight],
  sent: 2,
  undelivered: 0,
  inbox: { accepted: 2, duplicates: 0, quarantined: 0 },
  subjects: [{ key: 'order:9104:31', kind: 'order', stage: 'confirmed' }],
  received: ['order:9104:31/1/created', 'order:9104:31/2/confirmed'],
  duplicates: 0,
  outOfOrder: 0,
  falsehoods: [],
  lies: {},
  quantities: 0,
  warehouseCalls: 2,
  elapsedMs: 10,
};

describe('the summary of a demonstration', () => {
  it('is well when everything that happened was announced', () => {
    const summary = summarize(evidence);
    expect(summary).toMatchObject({
      orders: 1,
      stages: { confirmed: 1 },
      announcements: { expected: 2, received: 2, missing: 0 },
    });
    expect(isWell(summary)).toBe(true);
  });

  it.each<[string, Partial<Evidence>]>([
    ['an announcement is missing', { received: ['order:9104:31/1/created'] }],
    ['another order got it', { received: ['order:9104:31/1/created', 'order:9104:32/2/confirmed'] }],
    ['one came twice', { duplicates: 1 }],
    ['one came out of order', { outOfOrder: 1 }],
    ['one says what is not true', { falsehoods: ['order:9104:31/1/created: it has not happened'] }],
    ['a delivery is quarantined', { inbox: { accepted: 2, duplicates: 0, quarantined: 1 } }],
    ['a delivery was never accepted', { undelivered: 1 }],
    ['an order is in another stage', { subjects: [{ key: 'order:9104:31', kind: 'order', stage: 'created' }] }],
    ['an order is unknown', { subjects: [] }],
  ])('is not well when %s', (_, change) => {
    expect(isWell(summarize({ ...evidence, ...change }))).toBe(false);
  });

  describe('of stock', () => {
    const stock = {
      kind: 'stock',
      tenant: '9104',
      id: '12.7001.',
      scenario: null,
      stage: 'current',
      levels: { onHand: 3 },
      events: [1, 2, 3].map((id) => ({
        id: `9104:${id}`,
        name: 'InventorySummaryUpdate',
        milestone: 'changed',
        time: id,
        fate: 'delivered',
      })),
    } as SubjectTruth;
    const known = { key: 'stock:9104:12.7001.', kind: 'stock', stage: 'current', levels: { onHand: 3 } } as const;
    const coalesced = { ...evidence, truth: [stock], subjects: [known], received: ['stock:9104:12.7001./1/changed'] };

    it('counts coalesced changes and misses none', () => {
      const summary = summarize(coalesced);
      expect(summary.stock).toEqual({ events: 3, announcements: 1, wrongLevels: [] });
      expect(summary.announcements).toMatchObject({ expected: 0, received: 0, missing: 0 });
      expect(isWell(summary)).toBe(true);
    });

    it.each([[{ ...known, levels: { onHand: 2 } }], [{ ...known, levels: undefined }]])(
      'is not well with %j',
      (one) => {
        expect(isWell(summarize({ ...coalesced, subjects: [one as typeof known] }))).toBe(false);
      },
    );
  });

  it.each<[string, SubjectTruth, number]>([
    [
      'a dropped event that a later GET shows',
      order(['OrderCreate', 'created', 'dropped'], ['OrderConfirm', 'confirmed', 'delivered']),
      2,
    ],
    [
      'no dropped event after which nothing was fetched',
      order(['OrderCreate', 'created', 'delivered'], ['OrderConfirm', 'confirmed', 'dropped']),
      1,
    ],
    [
      'no dropped event that no GET shows',
      order(['OrderPickJobUserAssigned', 'pickerAssigned', 'dropped'], ['OrderConfirm', 'confirmed', 'delivered']),
      1,
    ],
    [
      'no dropped event that was taken back',
      order(['OrderConfirm', 'confirmed', 'dropped'], ['OrderUnconfirm', 'unconfirmed', 'delivered']),
      1,
    ],
    [
      'no dropped repetition',
      order(
        ['OrderFullyAllocated', 'fullyAllocated', 'delivered'],
        ['OrderFullyAllocated', 'fullyAllocated', 'dropped'],
        ['OrderConfirm', 'confirmed', 'delivered'],
      ),
      2,
    ],
  ])('expects %s', (_, truth, expected) => {
    expect(summarize({ ...evidence, truth: [truth] }).announcements.expected).toBe(expected);
  });
});
