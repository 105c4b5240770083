import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deadlineOf } from '../../src/domain/deadlines/deadline.ts';
import { simulatedDeadlines } from '../../src/sandbox/cut-off.ts';

const MINUTE_MS = 60_000;

/** Writes a time as the warehouse does: local, without a zone. */
const localTime = (at: number, utcOffsetMinutes: number) =>
  new Date(at + utcOffsetMinutes * MINUTE_MS).toISOString().slice(0, 19);

it('what the simulated warehouse creates after the start is due within half an hour, and at risk in a minute', () => {
  const start = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) });
  fc.assert(
    fc.property(start, fc.integer({ min: -11, max: 12 }), (startedAt, hours) => {
      const rules = simulatedDeadlines(startedAt, hours * 60);
      const created = localTime(startedAt, hours * 60);
      const { dueAt, atRiskAt } = deadlineOf({ kind: 'order', dates: { created } }, rules) ?? { dueAt: 0, atRiskAt: 0 };
      expect(dueAt).toBeGreaterThan(startedAt);
      expect(dueAt).toBeLessThanOrEqual(startedAt + 31 * MINUTE_MS);
      // A day ends with its last millisecond.
      const difference = Math.min(dueAt, startedAt + MINUTE_MS) - atRiskAt;
      expect([0, 1]).toContain(difference);
    }),
  );
});

it('other kinds have no deadline there', () => {
  const rules = simulatedDeadlines(Date.UTC(2026, 1, 11, 12), -360);
  expect(deadlineOf({ kind: 'receipt', dates: { created: '2026-02-11T06:00:00' } }, rules)).toBeUndefined();
});
