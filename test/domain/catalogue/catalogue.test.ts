import { describe, expect, it } from 'vitest';
import { catalogue, findEntry, normalizeName } from '../../../src/domain/catalogue/catalogue.ts';
import { planEvent } from '../../../src/domain/catalogue/event.ts';
import { specifiedEvents } from '../../spec/events.ts';

const subjects: Record<string, string> = {
  Order: 'order',
  Receipt: 'receipt',
  Adjustment: 'adjustment',
  Assembly: 'assembly',
  'Order item': 'orderItem',
  Item: 'item',
  'Inventory summary': 'stock',
  'Inventory hold': 'hold',
};

const operationOf = (name: string) => name.replace('Get', 'get').replaceAll(' ', '');

describe('the catalogue', () => {
  it('has the events of the specification and no other', () => {
    expect(catalogue).toHaveLength(specifiedEvents.length);
  });

  it.each(specifiedEvents.map((event, index) => [...event, index] as const))(
    '%s: %s is retrieved with %s',
    (type, label, retrieveWith, index) => {
      const entry = catalogue[index];
      expect(entry).toMatchObject({ subject: subjects[type], label });
      const expected =
        retrieveWith === 'none' || retrieveWith === 'not shown' ? [] : retrieveWith.split(', ').map(operationOf);
      expect(entry?.retrieves).toEqual(expected);
    },
  );

  it('uses each name and alias for one event only', () => {
    const names = catalogue.flatMap((entry) => [normalizeName(entry.name), ...entry.aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => name === normalizeName(name))).toBe(true);
  });

  it.each([
    ['OrderPickJobDone', 'OrderPickJobDone'],
    ['order_pick_job_done', 'OrderPickJobDone'],
    ['Pick Job - Started', 'OrderPackStarted'],
    ['Pack - started', 'OrderPackStarted'],
    ['orderpacked', 'OrderPackComplete'],
    ['PackComplete', 'OrderPackComplete'],
    ['orderPackComplete', 'OrderPackComplete'],
  ])('finds %s as %s', (spelling, name) => {
    expect(findEntry(spelling)?.name).toBe(name);
  });

  it.each([
    ['packed', 'order', 'OrderPackComplete'],
    ['packed', 'orderItem', 'OrderItemPack'],
    ['Deleted', 'receipt', 'ReceiptDelete'],
    ['Delete', 'order', 'OrderDeleted'],
    ['Update', 'stock', 'InventorySummaryUpdate'],
    ['OrderCreate', 'receipt', 'OrderCreate'],
  ] as const)('finds %s of the family %s as %s', (spelling, family, name) => {
    expect(findEntry(spelling, family)?.name).toBe(name);
  });

  it.each(['', 'OrderExploded', '???', '__proto__', 'constructor', 'Create', 'Deleted', 'packed'])(
    'finds nothing for %j',
    (name) => {
      expect(findEntry(name)).toBeUndefined();
    },
  );

  it('gives every event a milestone of its own within its subject', () => {
    const reported = catalogue.map(({ subject, milestone }) => `${subject} ${milestone}`);
    expect(new Set(reported).size).toBe(reported.length);
  });
});

describe('an event on its way to its workflow', () => {
  const event = { id: '9104:1', tenant: '9104', subject: 'order', subjectId: '31', time: 5 } as const;

  it('carries its milestone and its plan', () => {
    expect(planEvent({ ...event, name: 'OrderPickJobDone', userId: '7' })).toEqual({
      id: '9104:1',
      name: 'OrderPickJobDone',
      milestone: 'picked',
      time: 5,
      plan: ['getOrdersPicklist', 'getUser'],
      userId: '7',
    });
  });

  it('is fetched for nothing that its message showed', () => {
    const shown = { levels: { onHand: 4 } };
    const update = { ...event, subject: 'stock', subjectId: '12.7001.', name: 'InventorySummaryUpdate' } as const;
    expect(planEvent({ ...update, shown })).toMatchObject({ milestone: 'changed', plan: [], shown });
    expect(planEvent(update)).toMatchObject({ plan: ['getStockSummaries'] });
  });

  it('of a sweep asks for a GET and reports no milestone', () => {
    expect(planEvent({ ...event, name: 'Reconciliation', missing: true })).toEqual({
      id: '9104:1',
      name: 'Reconciliation',
      milestone: null,
      time: 5,
      plan: ['getOrder'],
      missing: true,
    });
  });

  it('is undefined for an unknown name', () => {
    expect(planEvent({ ...event, name: 'OrderExploded' })).toBeUndefined();
  });
});
