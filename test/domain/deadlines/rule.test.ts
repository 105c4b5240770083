import { expect, it } from 'vitest';
import { isCovered, kindsWithDeadlines } from '../../../src/domain/deadlines/rule.ts';
import { ruleOf } from './rules.ts';

it('only what runs a course can be due', () => {
  expect(kindsWithDeadlines).toEqual(['order', 'receipt', 'adjustment', 'assembly']);
});

it.each([
  ['one without conditions', {}, {}, true],
  ['one without conditions, of another kind', { kind: 'receipt' }, {}, false],
  ['one with more customers', { customers: ['418', '419'] }, { customers: ['418'] }, true],
  ['one with fewer customers', { customers: ['418'] }, { customers: ['418', '419'] }, false],
  ['one with a customer, where the later has none', { customers: ['418'] }, {}, false],
  ['one with the same facility', { facilities: ['12'] }, { facilities: ['12'], customers: ['418'] }, true],
  ['one with another facility', { facilities: ['12'] }, { facilities: ['13'] }, false],
  ['one with a facility, where the later has none', { facilities: ['12'] }, {}, false],
  ['one with the same carrier in another case', { carriers: ['ups'] }, { carriers: ['UPS'], services: ['Air'] }, true],
  ['one that needs a time which not all records have', { of: 'shipCancelDate' }, {}, false],
  ['one that needs the same time', { of: 'shipCancelDate' }, { of: 'shipCancelDate', customers: ['418'] }, true],
] as const)('a rule after %s is covered as it should be', (_, earlier, later, expected) => {
  expect(isCovered(ruleOf(later), ruleOf(earlier))).toBe(expected);
});
