import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Alert, advance, type Change, newsFor, noteNotified } from '../../../src/domain/health/alert.ts';
import type { ConditionName } from '../../../src/domain/health/condition.ts';
import { type Incident, toIncident } from '../../../src/domain/health/incident.ts';

const HOLD = 60_000;
const CLEAR = 300_000;
const DAY = 86_400_000;
const damping = { holdMs: HOLD, clearMs: CLEAR };

const findingOf = (condition: ConditionName, now: number, rest: Partial<Incident> = {}): Incident => ({
  ...toIncident(
    condition,
    { place: '9104/hub', title: 'It fails', ended: 'it is well', since: null, path: '/board' },
    now,
  ),
  count: 1,
  ...rest,
});

/** One round: the time since the one before, whether the condition holds, and whether the channel confirms. */
interface Round {
  readonly afterMs: number;
  readonly holds: boolean;
  readonly confirms: boolean;
}

interface Notified {
  readonly at: number;
  readonly change: Change;
}

/** Plays rounds, and returns what the channel has confirmed, with the times at which the condition was seen to begin and to end. */
function play(rounds: readonly Round[], condition: ConditionName) {
  let now = 0;
  let alert: Alert | undefined;
  const notified: Notified[] = [];
  const seen: { at: number; holds: boolean }[] = [];
  for (const { afterMs, holds, confirms } of rounds) {
    now += afterMs;
    seen.push({ at: now, holds });
    alert = advance(alert, holds ? findingOf(condition, now) : undefined, now, damping);
    const news = newsFor({ name: 'ops', conditions: [] }, alert ? [alert] : [], now);
    for (const { alert: it, change } of confirms ? news : []) {
      notified.push({ at: now, change });
      alert = noteNotified(it, change, 'ops', now);
    }
  }
  return { notified, seen, alert, now };
}

const rounds = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.integer({ min: 1_000, max: 90_000 }), fc.integer({ min: 1_000, max: 40 * 3_600_000 })),
    holds: fc.boolean(),
    confirms: fc.boolean(),
  }),
  { minLength: 1, maxLength: 60 },
);

const anyCondition = fc.constantFrom<ConditionName>('destination-stopped', 'quarantine');

/** Reports whether the condition held, or was gone, at every look from a time on before another. */
const lasted = (seen: readonly { at: number; holds: boolean }[], from: number, to: number, holds: boolean) =>
  seen.every(({ at, holds: it }) => at < from || at > to || it === holds);

describe('an alert', () => {
  it('is told once for each change, and its end only after its beginning', () => {
    fc.assert(
      fc.property(rounds, anyCondition, (given, condition) => {
        const changes = play(given, condition).notified.flatMap(({ change }) =>
          change === 'reminder' ? [] : [change],
        );
        expect(changes).toEqual(changes.map((_, index) => (index % 2 === 0 ? 'opened' : 'over')));
      }),
    );
  });

  it('opens only after it has held, and ends only after it was gone', () => {
    fc.assert(
      fc.property(rounds, anyCondition, (given, condition) => {
        const { notified, seen } = play(given, condition);
        for (const { at, change } of notified.filter((it) => it.change !== 'reminder')) {
          const [forMs, holds] = change === 'opened' ? [HOLD, true] : [CLEAR, false];
          const runs = seen.filter((it) => it.at <= at - forMs && it.holds === holds);
          expect(runs.some((begin) => lasted(seen, begin.at, begin.at + forMs, holds))).toBe(true);
        }
      }),
    );
  });

  it('is told again a day after it was told last, and not sooner', () => {
    fc.assert(
      fc.property(rounds, anyCondition, (given, condition) => {
        const { notified } = play(given, condition);
        for (const [index, { at, change }] of notified.entries())
          if (change === 'reminder') expect(at - (notified[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(DAY);
      }),
    );
  });

  it('is known as it is in the end, whatever happened before', () => {
    fc.assert(
      fc.property(rounds, anyCondition, fc.boolean(), (given, condition, holds) => {
        const steady = Array.from({ length: 30 }, () => ({ afterMs: 3_600_000, holds, confirms: true }));
        const { notified, alert } = play([...given, ...steady], condition);
        const last = notified.findLast(({ change }) => change !== 'reminder')?.change;
        expect(last === 'opened').toBe(holds);
        expect(alert?.phase).toBe(holds ? 'open' : undefined);
      }),
    );
  });

  it('whose beginning is unknown began when it was noticed, and ended when it was gone', () => {
    const [noticed, open, gone] = [1000, 1000 + HOLD, 2000 + HOLD];
    let alert = advance(undefined, findingOf('disk-nearly-full', noticed), noticed, damping);
    alert = advance(alert, findingOf('disk-nearly-full', open), open, damping);
    expect(alert).toMatchObject({ phase: 'open', since: open, finding: { since: noticed } });
    alert = alert && noteNotified(alert, 'opened', 'ops', open);
    alert = advance(alert, undefined, gone, damping);
    alert = advance(alert, undefined, gone + CLEAR, damping);
    expect(alert).toMatchObject({ phase: 'over', since: gone, finding: { since: noticed } });
  });

  it('that has held since before it was noticed opens at once', () => {
    expect(advance(undefined, findingOf('destination-failing', 0), HOLD, damping)).toMatchObject({ phase: 'open' });
  });

  /** Opens an alert that a channel was told of. */
  function openTold(found: Incident) {
    const alert = advance(undefined, found, HOLD, damping) as Alert;
    return noteNotified(alert, 'opened', 'ops', HOLD) as Alert;
  }

  const changesOf = (alert: Alert | undefined, now: number) =>
    newsFor({ name: 'ops', conditions: [] }, alert ? [alert] : [], now).map(({ change }) => change);

  it('is told again once it has grown by an order of magnitude, and once it is of another sort', () => {
    const found = (count: number, sort: string) => findingOf('warehouse-failing', 0, { count, sort });
    const notified = openTold(found(3, '503'));
    const later = HOLD + 2 * 60_000;
    const at = (incident: Incident) => changesOf(advance(notified, incident, later, damping), later);
    expect(at(found(29, '503'))).toEqual([]);
    expect(at(found(30, '503'))).toEqual(['grew']);
    expect(at(found(3, '500'))).toEqual(['changed']);
  });

  it('is not told again of another sort that names the same', () => {
    const found = (sort: string, named: string) => findingOf('at-risk', 0, { sort, named });
    const notified = openTold(found('17:00', '1, 2'));
    const later = HOLD + 2 * 60_000;
    const at = (incident: Incident) => changesOf(advance(notified, incident, later, damping), later);
    expect(at(found('17:00', '1, 2, 3'))).toEqual([]);
    expect(at(found('17:00 last call', '1, 2'))).toEqual([]);
    expect(at(found('17:00 last call', '1, 2, 3'))).toEqual(['changed']);
  });

  it.each([
    ['while it is noticed', undefined],
    ['while it is open', DAY],
  ])('is not silenced by a clock that is set back: %s', (_, openUntil) => {
    const ahead = 400 * DAY;
    const found = findingOf('destination-stopped', ahead);
    let alert = advance(undefined, found, ahead, damping);
    if (openUntil !== undefined) {
      alert = advance(alert, found, ahead + HOLD, damping) as Alert;
      alert = noteNotified(alert, 'opened', 'ops', ahead + HOLD);
    }
    alert = advance(alert, findingOf('destination-stopped', DAY), DAY, damping);
    alert = advance(alert, findingOf('destination-stopped', DAY), DAY + HOLD, damping);
    const later = openUntil === undefined ? DAY + HOLD : 2 * DAY + HOLD;
    expect(changesOf(alert, later)).toEqual([openUntil === undefined ? 'opened' : 'reminder']);
  });
});
