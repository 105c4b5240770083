import { describe, expect, it } from 'vitest';
import { workClock } from '../../../src/domain/deadlines/calendar.ts';
import {
  type Experience,
  forecast,
  inTurn,
  isNotified,
  learn,
  nextStep,
  type OpenOrder,
  type ShippedOrder,
} from '../../../src/domain/deadlines/forecast.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A Monday. */
const monday = Date.UTC(2026, 1, 2);
const now = monday + 21 * DAY + 12 * HOUR;

const traits = { tenant: '9104', facility: '3', carrier: 'UPS' };

/** Shipped orders of three weeks: one every ten minutes from 8 to 18 o'clock, each of which took some hours. */
function history(tookMs: (n: number, createdAt: number) => number = () => 2 * HOUR): ShippedOrder[] {
  const orders: ShippedOrder[] = [];
  for (let day = 0; day <= 21; day += 1)
    for (let n = 0; n < 60; n += 1) {
      const at = monday + day * DAY + 8 * HOUR + n * 10 * MINUTE;
      const took = tookMs(n, at);
      const waited = { allocate: at, pick: at + MINUTE, pack: at + took / 2, ship: at + (3 * took) / 4 };
      const shippedAt = at + took;
      if (shippedAt < now) orders.push({ ...traits, dueAt: at + 8 * HOUR, waited, shippedAt });
    }
  return orders;
}

const order: OpenOrder = { ...traits, dueAt: now + 5 * HOUR, step: 'pick', since: now - 30 * MINUTE };

const known = new WeakMap<readonly ShippedOrder[], Experience>();

const look = (shipped: readonly ShippedOrder[], due: number, { changes = 0, ahead = 6 } = {}) => {
  const at = now;
  const experience = known.get(shipped) ?? learn(shipped, at);
  known.set(shipped, experience);
  const found = forecast(experience, { ...order, dueAt: at + due, since: at - 30 * MINUTE }, { ahead, at, changes });
  return found && { ...found, willMiss: isNotified(found.changes) };
};

describe('the forecast of an order', () => {
  it('is when comparable orders were shipped, with their number', () => {
    const found = look(history(), 5 * HOUR);
    const expected = ((found?.expectedAt ?? 0) - now) / HOUR;
    expect(expected).toBeGreaterThan(0.8);
    expect(expected).toBeLessThan(2.2);
    expect(found).toMatchObject({ willMiss: false, step: 'pick', ahead: 6 });
    expect(found?.comparable).toBeGreaterThanOrEqual(30);
    expect(found?.earliest).toBeLessThanOrEqual(found?.expectedAt ?? 0);
    expect(found?.latest).toBeGreaterThanOrEqual(found?.expectedAt ?? 0);
  });

  it('is that it misses a truck that leaves before then', () => {
    expect(look(history(), 20 * MINUTE)?.willMiss).toBe(true);
    expect(look(history(), 4 * HOUR)?.willMiss).toBe(false);
  });

  it('is later with more orders ahead', () => {
    const at = (ahead: number) => look(history(), 5 * HOUR, { ahead })?.expectedAt ?? 0;
    expect(at(40)).toBeGreaterThan(at(6));
  });

  it('is not made from fewer than thirty comparable orders, or of a facility that shipped nothing', () => {
    expect(look(history().slice(0, 29), 5 * HOUR)).toBeUndefined();
    const elsewhere = { ...order, facility: '4' };
    expect(forecast(learn(history(), now), elsewhere, { ahead: 0, at: now, changes: 0 })).toBeUndefined();
  });

  it('is later where the last hours were slower than usual', () => {
    // The orders of this morning took half as long again as those of other mornings.
    const today = history((_, at) => (at > now - 5 * HOUR ? 3 * HOUR : 2 * HOUR));
    const found = look(today, 5 * HOUR);
    expect(found?.slowdown).toBeGreaterThan(1.1);
    expect(found?.expectedAt).toBeGreaterThan(now + (found?.usualMs ?? 0));
  });

  it('changes at most three times while its order waits, and stays then, however noisy the history', () => {
    const counts = [3, 17, 29, 41].map((salt) => {
      // Orders take anything from one to five hours.
      const experience = learn(
        history((n) => HOUR + ((n * salt * 37) % 60) * 4 * MINUTE),
        now,
      );
      const dueAt = now + 4 * HOUR;
      let changes = 0;
      for (let at = now; at < dueAt; at += MINUTE) {
        // Others come and go ahead of it.
        const ahead = 12 - Math.floor((at - now) / (30 * MINUTE)) + ((at / MINUTE) % 3);
        changes = forecast(experience, { ...order, dueAt }, { ahead, at, changes })?.changes ?? changes;
      }
      expect(changes).toBeLessThanOrEqual(3);
      return changes;
    });
    expect(Math.max(...counts)).toBeGreaterThan(0);
  });

  it('is taken back when it is well in time, but not by a look that only doubts it', () => {
    const noisy = history((n) => HOUR + ((n * 37) % 60) * 4 * MINUTE);
    const dues = Array.from({ length: 48 }, (_, n) => n * 10 * MINUTE);
    const notified = (changes: number) => dues.filter((due) => look(noisy, due, { changes })?.willMiss).length;
    expect(notified(0)).toBeGreaterThan(0);
    expect(notified(1)).toBeGreaterThan(notified(0));
    expect(notified(2)).toBeLessThan(notified(0) + 1);
    expect(notified(3)).toBe(dues.length);
    expect(look(noisy, 12 * HOUR, { changes: 1 })?.willMiss).toBe(false);
  });
});

it('ahead of an order are those that are further along, due earlier or there earlier, of its facility', () => {
  const rows: OpenOrder[] = [
    order,
    { ...order, since: order.since - 1 },
    { ...order, dueAt: now + HOUR, since: now },
    { ...order, step: 'pack', dueAt: null },
    { ...order, step: 'allocate', dueAt: now },
    { ...order, facility: '4', step: 'ship' },
  ];
  const ahead = (it: OpenOrder) => Math.max(...inTurn(rows).map((turns) => turns.indexOf(it)));
  expect(rows.map(ahead)).toEqual([3, 2, 1, 0, 4, 0]);
});

it('an order waits for the step after its stage', () => {
  expect(
    ['created', 'completed', 'fullyAllocated', 'picked', 'packing', 'packed'].map((it) => nextStep(it as 'created')),
  ).toEqual(['allocate', 'allocate', 'pick', 'pack', 'pack', 'ship']);
});

describe('the clock of a facility', () => {
  const clock = workClock(history().map(({ shippedAt }) => shippedAt));

  it('hardly moves at night', () => {
    const day = monday + 22 * DAY;
    expect(clock.between(day + 12 * HOUR, day + 16 * HOUR)).toBeCloseTo(4, 0);
    expect(clock.between(day, day + 7 * HOUR)).toBeLessThan(0.1);
    expect(clock.isResting(day + 3 * HOUR)).toBe(true);
    expect(clock.isResting(day + 12 * HOUR)).toBe(false);
  });

  it('finds the time after some work, also over a night and a week', () => {
    for (const work of [0.5, 3, 12, 100]) {
      const at = clock.after(now, work);
      expect(clock.between(now, at)).toBeCloseTo(work, 3);
    }
  });
});
