import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simulatedDeadlines } from '../../sandbox/cut-off.ts';
import { deadlineOf } from '../../src/domain/deadlines/deadline.ts';

const MINUTE_MS = 60_000;

const dueOf = (carrier: string, startedAt: number) =>
  deadlineOf(
    { kind: 'order', carrier, dates: { created: new Date(startedAt).toISOString() } },
    simulatedDeadlines(startedAt),
  );

it('what the simulated warehouse creates after the start is due by the truck of its carrier, the first of which leaves within half an hour', () => {
  // Not on the very midnight, which would be written as a whole day.
  const start = fc.integer({ min: Date.UTC(2026, 0, 1, 0, 0, 1), max: Date.UTC(2027, 11, 31, 23, 59, 59) });
  fc.assert(
    fc.property(start, (startedAt) => {
      const [first, ...others] = ['UPS', 'FedEx', 'USPS'].map((carrier) => dueOf(carrier, startedAt)?.dueAt ?? 0);
      expect(first).toBeGreaterThan(startedAt);
      // A clock time that comes twice is the second one: an hour later.
      const isRepeated = new Date(startedAt).getUTCMonth() === 10 && new Date(startedAt).getUTCDate() <= 7;
      expect(first).toBeLessThanOrEqual(startedAt + (isRepeated ? 91 : 31) * MINUTE_MS);
      for (const other of others) expect(other).toBeGreaterThanOrEqual(first ?? 0);
    }),
  );
});

it('an order of the first truck is at risk a minute after the start, and the rule names a zone that people know', () => {
  const startedAt = Date.UTC(2026, 6, 11, 17, 12, 31);
  expect(dueOf('UPS', startedAt)).toMatchObject({
    dueAt: Date.UTC(2026, 6, 11, 17, 43),
    because: expect.stringMatching(/12:43 in America\/Chicago/),
  });
  expect((dueOf('UPS', startedAt)?.atRiskAt ?? 0) - startedAt).toBeLessThanOrEqual(2 * MINUTE_MS);
});

it('other kinds have no deadline there', () => {
  const rules = simulatedDeadlines(Date.UTC(2026, 1, 11, 12));
  expect(deadlineOf({ kind: 'receipt', dates: { created: '2026-02-11T06:00:00' } }, rules)).toBeUndefined();
});
