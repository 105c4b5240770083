import { expect, it } from 'vitest';
import { type AnnouncementType, announcementTypes } from '../../src/domain/catalogue/subject.ts';
import { matchesType, wants } from '../../src/domain/routing.ts';

it.each([
  ['order.packed', ['order.packed']],
  ['dockline.order.packed', ['order.packed']],
  ['*.packed', ['order.packed']],
  ['order.it*ed', ['order.itemPacked', 'order.itemPicked', 'order.itemUnpacked', 'order.itemUnpicked']],
  ['order.*Item*', []],
  ['order.packed*packed', []],
  ['hold.*', ['hold.placedOnHold', 'hold.releasedFromHold']],
  ['*.*placed*Hold', ['hold.placedOnHold']],
  ['order.pack', []],
  ['', []],
])('%s names %j', (pattern, expected) => {
  const named = [...announcementTypes.keys()].filter((type) => matchesType(pattern, type));
  expect(named.toSorted()).toEqual(expected.map((type) => `dockline.${type}`));
});

it('a type is named by itself, by its kind, by its milestone and by an asterisk', () => {
  for (const [type, { kind, milestone }] of announcementTypes)
    for (const pattern of [type, `${kind}.*`, `*.${milestone}`, '*', '**', `${kind}*${milestone}`])
      expect(matchesType(pattern, type as AnnouncementType), `${pattern} ${type}`).toBe(true);
});

it('a filter without entries wants everything, and each entry of a list is enough', () => {
  const change = { kind: 'order', milestone: 'packed', customerId: null } as const;
  expect(wants({}, change)).toBe(true);
  expect(wants({ kinds: [], types: [], customers: [] }, change)).toBe(true);
  expect(wants({ kinds: ['receipt', 'order'], types: ['hold.*', 'order.*'] }, change)).toBe(true);
  expect(wants({ kinds: ['order'], types: ['hold.*'] }, change)).toBe(false);
  expect(wants({ customers: ['418'] }, change)).toBe(false);
  expect(wants({ customers: ['418', '419'] }, { ...change, customerId: '419' })).toBe(true);
  expect(wants({ customers: ['418'] }, { ...change, customerId: '4180' })).toBe(false);
});
