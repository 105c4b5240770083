import { expect, it } from 'vitest';
import { isCovered, toIncident } from '../../../src/domain/health/incident.ts';

const acknowledged = { by: 'ana', at: 1000, sort: '503', count: 3 };

it.each([
  ['as it was', {}, true],
  ['with some more', { count: 29 }, true],
  ['ten times as large', { count: 30 }, false],
  ['with other answers', { sort: '401' }, false],
  ['that began later', { since: 1001 }, false],
])('an acknowledgement is of an incident %s: %o', (_, change, isOf) => {
  const place = { place: '9104', title: 'It fails', ended: 'it is well', since: 900, path: '/board', sort: '503' };
  expect(isCovered({ ...toIncident('warehouse-failing', place, 0), count: 3, ...change }, acknowledged)).toBe(isOf);
});
