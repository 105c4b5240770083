import { describe, expect, it } from 'vitest';
import { deadlineOf } from '../../../src/domain/deadlines/deadline.ts';
import type { DeadlineFacts, DeadlineRule } from '../../../src/domain/deadlines/rule.ts';
import { calendarOf, daily, ruleOf } from './rules.ts';

const factsOf = (created: string, more: Partial<DeadlineFacts> = {}): DeadlineFacts => ({
  kind: 'order',
  createdAt: Date.parse(created),
  dates: {},
  ...more,
});

/** Returns the time at which an order is due, in UTC. */
function dueOf(created: string, rule: Partial<DeadlineRule> = {}, more: Partial<DeadlineFacts> = {}) {
  const deadline = deadlineOf(factsOf(created, more), [ruleOf(rule)]);
  return deadline && new Date(deadline.dueAt).toISOString();
}

describe('an order with a cut-off', () => {
  // Chicago: UTC-6 in winter, UTC-5 from 8 March to 1 November 2026.
  it.each([
    ['before it on a Wednesday', '2026-02-11T15:00:00Z', '2026-02-11T23:00:00.000Z'],
    ['a millisecond before it', '2026-02-11T19:59:59.999Z', '2026-02-11T23:00:00.000Z'],
    ['at it', '2026-02-11T20:00:00Z', '2026-02-12T23:00:00.000Z'],
    ['after it on a Friday', '2026-02-13T21:00:00Z', '2026-02-16T23:00:00.000Z'],
    ['on a Saturday', '2026-02-14T15:00:00Z', '2026-02-16T23:00:00.000Z'],
    ['on a Saturday that is already Sunday in UTC', '2026-02-15T03:00:00Z', '2026-02-16T23:00:00.000Z'],
    ['after midnight in UTC, on the day before in the warehouse', '2026-02-12T01:00:00Z', '2026-02-12T23:00:00.000Z'],
    ['on the Friday before the clocks go forward', '2026-03-06T21:00:00Z', '2026-03-09T22:00:00.000Z'],
  ])('that is created %s is due accordingly', (_, created, due) => {
    expect(dueOf(created)).toBe(due);
  });

  it('counts a Saturday that is worked among working days, in its own facility only', () => {
    const peak = calendarOf({ specialDays: { '2026-12-19': '10:00' } });
    const days = { due: 'workingDays', days: 1 } as const;
    const rules = [
      ruleOf({ ...days, name: 'reno', facilities: ['13'], calendar: { ...peak, timeZone: 'America/Los_Angeles' } }),
      ruleOf({ ...days, name: 'usual' }),
    ];
    const due = (facilityId?: string) =>
      deadlineOf(factsOf('2026-12-18T18:00:00Z', { facilityId }), rules)?.because.replace(/: .*, due/, '');
    expect(due('13')).toBe('reno 2026-12-19 17:00 in America/Los_Angeles');
    expect(due('12')).toBe('usual 2026-12-21 17:00 in America/Chicago');
    expect(due()).toBe('usual 2026-12-21 17:00 in America/Chicago');
  });

  it('is worked on the leap day', () => {
    expect(dueOf('2028-02-28T21:00:00Z')).toBe('2028-02-29T23:00:00.000Z');
    const calendar = calendarOf({ holidays: ['2028-02-29'] });
    expect(dueOf('2028-02-28T21:00:00Z', { calendar })).toBe('2028-03-01T23:00:00.000Z');
  });

  it('has nothing in time with a cut-off at the first midnight, and everything with one at the last', () => {
    const zone = { timeZone: 'UTC' };
    const first = calendarOf({ ...zone, cutOffs: daily('00:00') });
    const last = calendarOf({ ...zone, cutOffs: daily('24:00') });
    expect(dueOf('2026-02-11T00:00:00Z', { calendar: first })).toBe('2026-02-12T17:00:00.000Z');
    expect(dueOf('2026-02-11T23:59:59.999Z', { calendar: last, by: '24:00' })).toBe('2026-02-11T23:59:59.999Z');
    expect(dueOf('2026-02-12T00:00:00Z', { calendar: last, by: '24:00' })).toBe('2026-02-12T23:59:59.999Z');
  });

  it.each([
    ['far east', 'Pacific/Kiritimati', '2026-02-10T23:30:00Z', '2026-02-11T03:00:00.000Z'],
    ['far west', 'Pacific/Pago_Pago', '2026-02-11T00:30:00Z', '2026-02-11T04:00:00.000Z'],
    ['with an offset of three quarters', 'Asia/Kathmandu', '2026-02-11T08:00:00Z', '2026-02-11T11:15:00.000Z'],
  ])('is on the day of its own zone: %s', (_, timeZone, created, due) => {
    expect(dueOf(created, { calendar: calendarOf({ timeZone }) })).toBe(due);
  });

  it.each([
    ['skipped, is as long after the skip', '2026-03-08T06:30:00Z', '02:30', '2026-03-08T08:30:00.000Z'],
    ['repeated, is the second one', '2026-11-01T05:00:00Z', '01:30', '2026-11-01T07:30:00.000Z'],
  ])('has a time that, where it is %s', (_, created, by, due) => {
    const calendar = calendarOf({ cutOffs: { sunday: '01:00' } });
    expect(dueOf(created, { calendar, by })).toBe(due);
  });

  it('is not due before its cut-off where the clocks skip that', () => {
    const calendar = calendarOf({ cutOffs: { sunday: '02:45' } });
    expect(dueOf('2026-03-08T08:40:00Z', { calendar, by: '03:00' })).toBe('2026-03-08T08:45:00.000Z');
  });

  it('says which rule decided and why', () => {
    expect(deadlineOf(factsOf('2026-02-11T21:20:00Z'), [ruleOf()])).toEqual({
      dueAt: Date.parse('2026-02-12T23:00:00Z'),
      atRiskAt: Date.parse('2026-02-12T21:00:00Z'),
      ruleAt: Date.parse('2026-02-12T21:00:00Z'),
      because: 'usual: created 2026-02-11 15:20, after the cut-off at 14:00, due 2026-02-12 17:00 in America/Chicago',
      timeZone: 'America/Chicago',
    });
  });
});

describe('a deadline of some working days', () => {
  const rule = { kind: 'receipt', due: 'workingDays', days: 2, of: 'arrivalDate', by: '24:00' } as const;
  const due = (arrivalDate: string) => dueOf('2026-01-01T00:00:00Z', rule, { kind: 'receipt', dates: { arrivalDate } });

  it.each([
    ['2026-02-11T09:00:00', '2026-02-14T05:59:59.999Z'],
    ['2026-02-12T00:00:00', '2026-02-17T05:59:59.999Z'],
    ['2026-02-14', '2026-02-18T05:59:59.999Z'],
    ['2026-02-14T23:00:00-12:00', '2026-02-18T05:59:59.999Z'],
    ['2026-02-12T00:00:00-06:00', '2026-02-17T05:59:59.999Z'],
    ['2026-02-12T00:00:00Z', '2026-02-17T05:59:59.999Z'],
  ])('counts from the day after %s', (arrivalDate, expected) => {
    expect(due(arrivalDate)).toBe(expected);
  });
});

describe('a deadline of the record', () => {
  const rule = { due: 'date', of: 'shipCancelDate', by: '24:00' } as const;
  const due = (shipCancelDate: string, more: Partial<DeadlineRule> = {}) =>
    dueOf('2026-01-01T00:00:00Z', { ...rule, ...more }, { dates: { shipCancelDate } });

  it.each([
    ['2026-02-13', '2026-02-14T05:59:59.999Z'],
    ['2026-02-13T00:00:00', '2026-02-14T05:59:59.999Z'],
    ['2026-02-13T00:00:00.0000000', '2026-02-14T05:59:59.999Z'],
    ['2026-02-13T15:30:00', '2026-02-13T21:30:00.000Z'],
    ['2026-02-13 15:30', '2026-02-13T21:30:00.000Z'],
    ['2026-02-13T15:30:00Z', '2026-02-13T15:30:00.000Z'],
    ['2026-02-13T15:30:00-06', '2026-02-13T21:30:00.000Z'],
    ['2026-02-13T15:30:00-0600', '2026-02-13T21:30:00.000Z'],
    ['2026-02-13T15:30:00.5 -06:00', '2026-02-13T21:30:00.500Z'],
    ['2026-02-13T15:30+05:45', '2026-02-13T09:45:00.000Z'],
    ['2026-02-13T00:00:00-06:00', '2026-02-14T05:59:59.999Z'],
    ['2026-02-13T00:00:00-06', '2026-02-14T05:59:59.999Z'],
    ['2026-02-13T00:00:00Z', '2026-02-14T05:59:59.999Z'],
    ['2026-02-13T00:00:00.000+00:00', '2026-02-14T05:59:59.999Z'],
    ['2026-02-13T00:00:00+01:00', '2026-02-14T05:59:59.999Z'],
    ['2026-02-13T06:00:00Z', '2026-02-14T05:59:59.999Z'],
    ['2026-07-13T05:00:00Z', '2026-07-14T04:59:59.999Z'],
    ['2026-02-13T00:00:01Z', '2026-02-13T00:00:01.000Z'],
    ['2028-02-29', '2028-03-01T05:59:59.999Z'],
  ])('is read from %s', (text, expected) => {
    expect(due(text)).toBe(expected);
  });

  it('is absent if it is endless', () => {
    expect(due(`2026-02-13${'0'.repeat(1_000_000)}`)).toBeUndefined();
  });

  it('may have a time of the day', () => {
    expect(due('2026-02-13', { by: '12:00' })).toBe('2026-02-13T18:00:00.000Z');
  });

  it.each([
    '',
    'soon',
    '02/13/2026',
    '2026-02-30',
    '2026-13-01',
    '0001-01-01T00:00:00',
    '1900-01-01',
    '9999-12-31T23:59:59',
    '2079-06-06',
    '2999-12-31T00:00:00',
    '2026-02-13T15:30:00+99:00',
    '2026-02-13T15:30:00-6',
    '2026-02-13T24:00:00',
    '2026-02-13T25:00:00',
    '2026-02-13T',
    '2026-02-13; drop table subjects',
  ])('is absent if it is %j', (text) => {
    expect(due(text)).toBeUndefined();
  });
});

describe('of several rules', () => {
  const dated = ruleOf({ name: 'cancel date', due: 'date', of: 'shipCancelDate' });
  const ups = ruleOf({ name: 'ups', carriers: ['UPS'], services: ['Next Day Air'] });
  const alder = ruleOf({ name: 'alder', customers: ['418'] });
  const rules = [dated, ups, alder, ruleOf({ name: 'others' })];
  const decides = (more: Partial<DeadlineFacts>) =>
    deadlineOf(factsOf('2026-02-11T15:00:00Z', more), rules)?.because.split(':')[0];

  it.each<[string, Partial<DeadlineFacts>, string | undefined]>([
    ['a date that is there', { dates: { shipCancelDate: '2026-02-13' }, customerId: '418' }, 'cancel date'],
    ['a date that cannot be read', { dates: { shipCancelDate: 'soon' }, customerId: '418' }, 'alder'],
    ['a carrier and a service in any case', { carrier: ' ups', service: 'NEXT DAY AIR' }, 'ups'],
    ['a carrier without the service', { carrier: 'UPS' }, 'others'],
    ['a customer', { customerId: '418' }, 'alder'],
    ['nothing known', {}, 'others'],
    ['another kind', { kind: 'receipt' }, undefined],
    ['no creation', { createdAt: undefined }, undefined],
    ['members of every object', { dates: {}, customerId: 'constructor' }, 'others'],
  ])('the first that matches decides: %s', (_, more, name) => {
    expect(decides(more)).toBe(name);
  });

  it('the record says better than the event when it was created', () => {
    const facts = factsOf('2026-02-13T15:00:00Z', { dates: { created: '2026-02-11T09:00:00' } });
    expect(deadlineOf(facts, [ruleOf()])?.dueAt).toBe(Date.parse('2026-02-11T23:00:00Z'));
    const unset = factsOf('2026-02-13T15:00:00Z', { dates: { created: '0001-01-01T00:00:00' } });
    expect(deadlineOf(unset, [ruleOf()])?.dueAt).toBe(Date.parse('2026-02-13T23:00:00Z'));
  });
});
