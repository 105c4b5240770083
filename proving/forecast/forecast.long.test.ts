import { expect, it } from 'vitest';
import { type Measured, measure, type Score, scoreOf } from './measure.ts';
import { HOUR_MS, simulateMonth } from './month.ts';

const DAYS = 42;
const seeds = [1, 2, 3];
const hours = [1, 2, 4];

const measured = seeds.map((seed) =>
  measure(simulateMonth({ days: DAYS, seed }), { from: 21, days: DAYS - 2, aheads: hours.map((it) => it * HOUR_MS) }),
);

const scoreAt = (hour: number): Score =>
  scoreOf(measured.flatMap(({ verdicts }: Measured) => verdicts.get(hour * HOUR_MS) ?? []));

it('an hour ahead, nine of ten orders that miss their truck are told, and four of five that are told miss it', () => {
  for (const hour of hours) {
    const { open, notified, missed, hits } = scoreAt(hour);
    const share = (part: number, of: number) => (part / of).toFixed(2);
    console.log(
      `${hour} h ahead: ${open} open, ${missed} missed; forecast notified ${notified}, recall ${share(hits, missed)}, precision ${share(hits, notified)}; a rule tells all ${open}, precision ${share(missed, open)}`,
    );
  }
  const { notified, missed, hits } = scoreAt(1);
  expect(hits / missed).toBeGreaterThan(0.9);
  expect(hits / notified).toBeGreaterThan(0.8);
});

it('a fixed time before the truck tells several times as many that make it', () => {
  const { open, notified, missed, hits } = scoreAt(2);
  expect(open - missed).toBeGreaterThan(4 * (notified - hits));
});

it('what is told is taken back once at most before it stays, and is less than a fixed time of two hours tells', () => {
  const notified = measured.flatMap((it) => it.notified);
  const missed = notified.filter(({ isMissed }) => isMissed).length;
  console.log(`notified at any time: ${notified.length}; ${missed} of them missed`);
  expect(Math.max(...notified.map(({ changes }) => changes))).toBeLessThanOrEqual(3);
  expect(notified.filter(({ changes }) => changes > 2).length / notified.length).toBeLessThan(0.15);
  expect(notified.length).toBeLessThan(0.7 * scoreAt(2).open);
  expect(missed).toBeGreaterThan(0.95 * scoreAt(1).missed);
});
