import { describe, expect, it } from 'vitest';
import { parseSince } from '../../src/cli/command.ts';

const now = Date.parse('2026-02-11T12:00:00Z');

describe('--since', () => {
  it.each([
    ['90m', '2026-02-11T10:30:00.000Z'],
    ['2h', '2026-02-11T10:00:00.000Z'],
    ['3d', '2026-02-08T12:00:00.000Z'],
    ['2026-02-11T10:00:00Z', '2026-02-11T10:00:00.000Z'],
    ['2026-02-11T04:00:00.25-06:00', '2026-02-11T10:00:00.250Z'],
    ['2026-02-11T10:00', '2026-02-11T10:00:00.000Z'],
    ['2026-02-10', '2026-02-10T00:00:00.000Z'],
  ])('accepts %s', (text, since) => {
    expect(new Date(parseSince(text, now)).toISOString()).toBe(since);
  });

  it.each(['yesterday', '2 h', '2w', '', '2026-02-30T99:00', '11.02.2026', '1769990400000', '99999999999d'])(
    'rejects %j',
    (text) => {
      expect(() => parseSince(text, now)).toThrow(/^--since must be a time like/);
    },
  );

  it('rejects a time in the future', () => {
    expect(() => parseSince('2026-02-11T12:00:01Z', now)).toThrow('--since must not be in the future');
  });
});
