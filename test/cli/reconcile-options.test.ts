import { describe, expect, it } from 'vitest';
import { parseReconcileOptions } from '../../src/cli/reconcile-options.ts';

const now = Date.parse('2026-02-11T12:00:00Z');
const sinceOf = (text: string) => new Date(parseReconcileOptions(['--since', text], now).since ?? 0).toISOString();

describe('the options of a sweep', () => {
  it.each([
    ['90m', '2026-02-11T10:30:00.000Z'],
    ['2h', '2026-02-11T10:00:00.000Z'],
    ['3d', '2026-02-08T12:00:00.000Z'],
    ['2026-02-11T10:00:00Z', '2026-02-11T10:00:00.000Z'],
    ['2026-02-11T04:00:00.25-06:00', '2026-02-11T10:00:00.250Z'],
    ['2026-02-11T10:00', '2026-02-11T10:00:00.000Z'],
    ['2026-02-10', '2026-02-10T00:00:00.000Z'],
  ])('take %s', (text, since) => {
    expect(sinceOf(text)).toBe(since);
  });

  it('are all optional', () => {
    expect(parseReconcileOptions([])).toEqual({ json: false, help: false });
    expect(parseReconcileOptions(['--tenant', '9104', '--json'])).toEqual({ tenant: '9104', json: true, help: false });
  });

  it.each(['yesterday', '2 h', '2w', '', '2026-02-30T99:00', '11.02.2026', '1769990400000', '99999999999d'])(
    'do not take %j as a time',
    (text) => {
      expect(() => sinceOf(text)).toThrow(/^--since must be a time like/);
    },
  );

  it('do not take a time that has not come yet', () => {
    expect(() => sinceOf('2026-02-11T12:00:01Z')).toThrow('--since must not lie in the future');
  });
});
