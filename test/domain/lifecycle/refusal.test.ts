import { describe, expect, it } from 'vitest';
import { askAgainAt, mergeRefusals } from '../../../src/domain/lifecycle/gets.ts';

const user = { operation: 'getUser', id: '2108', message: 'GET answered 403', since: 1000 } as const;
const customer = { operation: 'getCustomer', id: '418', message: 'GET answered 404', since: 2000 } as const;

describe('refused GETs', () => {
  it('are kept until their operation was called and refused nothing', () => {
    expect(mergeRefusals([user, customer], undefined, 5000)).toEqual([user, customer]);
    const calls = [{ operation: 'getUser' }] as const;
    expect(mergeRefusals([user, customer], { calls, refused: [] }, 5000)).toEqual([customer]);
  });

  it('are one for each operation, the newest, since the first', () => {
    const refused = ['2109', '2110'].map((id) => ({ operation: 'getUser', id, message: 'GET answered 404' }) as const);
    expect(mergeRefusals([user], { calls: [], refused }, 5000)).toEqual([{ ...refused[1], since: 1000 }]);
    expect(mergeRefusals([], { calls: [], refused }, 5000)).toEqual([{ ...refused[1], since: 5000 }]);
  });

  it.each([
    [0, 60_000],
    [60_000, 180_000],
    [86_400_000, 21_600_000],
  ])('are asked for again in growing intervals: refused for %i ms, in %i ms', (ageMs, waitMs) => {
    const now = 1000 + ageMs;
    expect(askAgainAt([user], now, 60_000)).toBe(now + waitMs);
    expect(askAgainAt([], now, 60_000)).toBeUndefined();
  });
});
