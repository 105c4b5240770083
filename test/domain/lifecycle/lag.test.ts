import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlannedEvent } from '../../../src/domain/catalogue/event.ts';
import { type Lifecycle, type Observed, unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { type Milestone, registerOf } from '../../../src/domain/lifecycle/milestone.ts';
import { observe } from '../../../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import { eventOf } from '../../support/make.ts';
import { runs } from '../../thoroughness.ts';

const LAG_MS = 15_000;

/** Observes at a time, by default with the lag of the warehouse's reads allowed for. */
const at = (
  readAt: number,
  before: Lifecycle,
  events: readonly PlannedEvent[],
  snapshot: Snapshot | null,
  lagMs = LAG_MS,
): Observed => observe(before, events, snapshot, { readAt, lagMs });

const announcedBy = ({ changes }: Observed) =>
  changes.map(({ milestone, cause }) => (cause === 'snapshot' ? `${milestone} inferred` : milestone));

describe('an event dated in the future, which the record contradicts', () => {
  it.each([0, LAG_MS])('does not hide those that come after it, with reads that lag %i ms', (lagMs) => {
    let now = 1_000_000;
    const look = (before: Lifecycle, events: readonly PlannedEvent[], snapshot: Snapshot) => {
      now += 2 * LAG_MS;
      return at(now, before, events, snapshot, lagMs);
    };
    const happened = (id: number, milestone: Milestone, ahead = 0) => eventOf(id, milestone, { time: now + ahead });
    const [open, closed] = [{ status: 'open' }, { status: 'closed' }] as const satisfies Snapshot[];
    const created = look(unknownLifecycle, [happened(1, 'created')], open);
    const ahead = look(created.lifecycle, [happened(2, 'confirmed', 10_000_000)], open);
    const denied = look(ahead.lifecycle, [], open);
    expect([...announcedBy(ahead), ...announcedBy(denied)]).toEqual(['confirmed', 'unconfirmed inferred']);
    let { lifecycle } = denied;
    for (const [id, milestone, snapshot] of [
      [3, 'confirmed', closed],
      [4, 'unconfirmed', open],
      [5, 'confirmed', closed],
    ] as const) {
      const observed = look(lifecycle, [happened(id, milestone)], snapshot);
      expect(observed.changes).toMatchObject([{ milestone, cause: 'event', event: { id: `9104:${id}` } }]);
      lifecycle = observed.lifecycle;
    }
  });
});

describe('a record that contradicts what was just reported', () => {
  it.each<[Milestone, Snapshot, string]>([
    ['confirmed', { status: 'open' }, 'unconfirmed'],
    ['unconfirmed', { status: 'closed' }, 'confirmed'],
    ['fullyAllocated', { fullyAllocated: false }, 'allocationLost'],
    ['excludedFromPickJob', { pickDone: true }, 'picked'],
  ])('takes %s back only after a second look', (milestone, snapshot, denial) => {
    const created = at(0, unknownLifecycle, [eventOf(1, 'created')], null).lifecycle;
    const first = at(100_000, created, [eventOf(2, milestone)], snapshot);
    expect(announcedBy(first)).toEqual([milestone]);
    expect(first.lookAgainAt).toBe(100_000 + LAG_MS);
    const early = at(100_000 + LAG_MS - 1, first.lifecycle, [], snapshot);
    expect([early.changes, early.lookAgainAt]).toEqual([[], 100_000 + LAG_MS]);
    const second = at(100_000 + LAG_MS, first.lifecycle, [], snapshot);
    expect(announcedBy(second)).toEqual([`${denial} inferred`]);
    expect(second.lookAgainAt).toBeUndefined();
  });

  it('takes it back at once if no lag is allowed for', () => {
    const first = at(0, unknownLifecycle, [eventOf(1, 'created'), eventOf(2, 'confirmed')], { status: 'open' }, 0);
    expect(announcedBy(first)).toEqual(['created', 'confirmed', 'unconfirmed inferred']);
    expect(first.lookAgainAt).toBeUndefined();
  });

  it('takes back at once what was reported long ago, whatever is reported now', () => {
    const allocated = at(0, unknownLifecycle, [eventOf(1, 'created'), eventOf(2, 'fullyAllocated')], null).lifecycle;
    const updated = at(LAG_MS, allocated, [eventOf(3, 'updated')], { status: 'open', fullyAllocated: false });
    expect(announcedBy(updated)).toEqual(['updated', 'allocationLost inferred']);
  });

  it('is looked at again although nothing is to be taken back', () => {
    const canceled = at(0, unknownLifecycle, [eventOf(1, 'created'), eventOf(2, 'canceled')], { status: 'open' });
    expect([announcedBy(canceled), canceled.lookAgainAt]).toEqual([['created', 'canceled'], LAG_MS]);
    const second = at(LAG_MS, canceled.lifecycle, [], { status: 'canceled' });
    expect([second.changes, second.lookAgainAt, second.lifecycle.snapshot]).toEqual([
      [],
      undefined,
      { status: 'canceled' },
    ]);
  });

  it('is said to lag in the announcement of that event, and of no other', () => {
    const { changes } = at(0, unknownLifecycle, [eventOf(1, 'updated'), eventOf(2, 'confirmed')], { status: 'open' });
    expect(changes.map(({ milestone, recordLags }) => [milestone, recordLags])).toEqual([
      ['created', undefined],
      ['updated', undefined],
      ['confirmed', true],
    ]);
  });

  it('still infers at once what nothing was reported about', () => {
    const first = at(0, unknownLifecycle, [eventOf(1, 'packed')], { status: 'open', fullyAllocated: true });
    expect(announcedBy(first)).toEqual(['created inferred', 'fullyAllocated inferred', 'packed']);
    expect(first.lookAgainAt).toBeUndefined();
  });

  it('does not take back what another record showed a moment ago', () => {
    const ahead = at(0, unknownLifecycle, [eventOf(1, 'created')], { status: 'closed' });
    const behind = at(1000, ahead.lifecycle, [eventOf(2, 'updated')], { status: 'open' });
    expect([announcedBy(behind), behind.lookAgainAt]).toEqual([['updated'], 1000 + LAG_MS]);
  });

  it('says nothing by what it leaves out', () => {
    const reported = ['created', 'fullyAllocated', 'picked', 'packStarted', 'packed', 'confirmed'] as const;
    const events = reported.map((milestone, id) => eventOf(id, milestone));
    const { lifecycle } = at(0, unknownLifecycle, events, null);
    const later = at(LAG_MS, lifecycle, [], { pickDone: false, packStarted: false, packDone: false });
    expect([later.changes, later.lookAgainAt]).toEqual([[], undefined]);
  });
});

describe('an update, which only the record explains', () => {
  const item = (deactivated: boolean): Snapshot => ({ status: 'open', deactivated });

  it('is looked at again, since the record may show what was before it', () => {
    const created = at(0, unknownLifecycle, [eventOf(1, 'created')], item(false)).lifecycle;
    const behind = at(20_000, created, [eventOf(2, 'updated')], item(false));
    expect([announcedBy(behind), behind.lookAgainAt]).toEqual([['updated'], 20_000 + LAG_MS]);
    const second = at(20_000 + LAG_MS, behind.lifecycle, [], item(true));
    expect([announcedBy(second), second.lookAgainAt]).toEqual([['deactivated inferred'], undefined]);
  });

  it('does not leave an item deactivated by a record that shows what was before it', () => {
    const created = at(0, unknownLifecycle, [eventOf(1, 'created')], item(false)).lifecycle;
    const both = at(20_000, created, [eventOf(2, 'updated'), eventOf(3, 'updated')], item(true));
    expect(announcedBy(both)).toEqual(['updated', 'updated', 'deactivated inferred']);
    const second = at(both.lookAgainAt ?? 0, both.lifecycle, [], item(false));
    expect([announcedBy(second), second.lookAgainAt]).toEqual([['reactivated inferred'], undefined]);
  });

  it('is not looked at again if no lag is allowed for, or if there is no record', () => {
    expect(at(0, unknownLifecycle, [eventOf(1, 'updated')], item(false), 0).lookAgainAt).toBeUndefined();
    expect(at(0, unknownLifecycle, [eventOf(1, 'updated')], null).lookAgainAt).toBeUndefined();
  });
});

describe('the levels of stock', () => {
  const levels = (onHand: number): Snapshot => ({ levels: { onHand } });

  it('do not go back to what a record shows that lags behind their event', () => {
    const known = at(0, unknownLifecycle, [eventOf(1, 'changed', { shown: levels(5) })], null).lifecycle;
    const moved = at(60_000, known, [eventOf(2, 'changed', { shown: levels(4) })], null).lifecycle;
    const behind = at(61_000, moved, [], levels(5));
    expect([behind.changes, behind.lookAgainAt]).toEqual([[], 60_000 + LAG_MS]);
    expect(at(60_000 + LAG_MS, behind.lifecycle, [], levels(4)).changes).toEqual([]);
    const changed = at(60_000 + LAG_MS, behind.lifecycle, [], levels(3));
    expect(changed.changes).toMatchObject([{ milestone: 'changed', before: levels(4), after: levels(3) }]);
  });
});

describe('an adjustment', () => {
  it('is completed as its record shows, and not reopened by being open', () => {
    const created = at(0, unknownLifecycle, [eventOf(1, 'created')], { status: 'open', completed: false }).lifecycle;
    const completed = at(1, created, [eventOf(2, 'completed')], { status: 'open', completed: true });
    expect([announcedBy(completed), completed.lookAgainAt]).toEqual([['completed'], undefined]);
    expect(at(LAG_MS, completed.lifecycle, [], { status: 'open' }).changes).toEqual([]);
    const missed = at(LAG_MS, created, [], { status: 'closed', completed: true });
    expect(announcedBy(missed)).toEqual(['completed inferred']);
  });
});

describe('reads that lag', () => {
  /** Changes of an order at the warehouse: each moves it on or back from where it stands. */
  type Move = 'fullyAllocated' | 'confirmed' | 'unconfirmed' | 'canceled' | 'updated';

  interface Happened {
    readonly at: number;
    readonly move: Move;
    readonly deliveredAt: number;
  }

  const step = fc.record({
    pause: fc.integer({ min: 1, max: 20_000 }),
    move: fc.constantFrom<Move>('fullyAllocated', 'confirmed', 'unconfirmed', 'canceled', 'updated'),
    delivery: fc.integer({ min: 0, max: 60_000 }),
  });

  const histories = fc.array(step, { minLength: 1, maxLength: 8 }).map((steps) => {
    let now = 100_000;
    let isClosed = false;
    const happened: Happened[] = [];
    for (const { pause, move, delivery } of steps) {
      now += pause;
      if (move === 'unconfirmed' ? !isClosed : move !== 'updated' && isClosed) continue;
      if (happened.some((earlier) => earlier.move === 'canceled')) continue;
      isClosed = move === 'confirmed' || (isClosed && move === 'updated');
      happened.push({ at: now, move, deliveredAt: now + delivery });
    }
    return happened;
  });

  function recordAt(happened: readonly Happened[], time: number): Snapshot {
    const moves = happened.filter(({ at: when }) => when <= time).map(({ move }) => move);
    const closing = moves.findLast((move) => move === 'confirmed' || move === 'unconfirmed');
    return {
      status: moves.includes('canceled') ? 'canceled' : closing === 'confirmed' ? 'closed' : 'open',
      fullyAllocated: moves.includes('fullyAllocated'),
    };
  }

  /** Delivers every event, each followed by a GET that lags, then looks again as often as it is asked to. */
  function follow(happened: readonly Happened[], lags: readonly number[]) {
    let lifecycle: Lifecycle = unknownLifecycle;
    let gets = 0;
    const turned: { readonly shownAt: number; readonly known: readonly Happened[] }[] = [];
    let lookAgainAt: number | undefined;
    const get = (now: number, delivered: readonly Happened[]) => {
      const shownAt = now - (lags[gets % lags.length] ?? 0);
      gets += 1;
      const before = lifecycle;
      const events = delivered.map(({ move, at: time }) => eventOf(time, move, { time }));
      const observed = at(now, before, events, recordAt(happened, shownAt));
      for (const { cause, milestone } of observed.changes) {
        const register = registerOf(milestone);
        const known = happened.filter((it) => it.deliveredAt <= now && registerOf(it.move) === register);
        if (cause === 'snapshot' && before.registers[register]) turned.push({ shownAt, known });
      }
      lifecycle = JSON.parse(JSON.stringify(observed.lifecycle)) as Lifecycle;
      lookAgainAt = observed.lookAgainAt;
    };
    const arrivals = happened.toSorted((a, b) => a.deliveredAt - b.deliveredAt);
    for (const arrival of arrivals) {
      while (lookAgainAt !== undefined && lookAgainAt < arrival.deliveredAt) get(lookAgainAt, []);
      get(arrival.deliveredAt, [arrival]);
    }
    while (lookAgainAt !== undefined && gets < 100) get(lookAgainAt, []);
    return { lifecycle, turned, gets };
  }

  const lagging = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 20 });

  it('never take back an event that had been received when they were made', () => {
    fc.assert(
      fc.property(histories, lagging, (happened, lags) => {
        for (const { shownAt, known } of follow(happened, lags).turned) {
          expect(known.every((earlier) => earlier.at <= shownAt)).toBe(true);
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  it('end in what is true, after a bounded number of looks', () => {
    fc.assert(
      fc.property(histories, lagging, (happened, lags) => {
        const { lifecycle, gets } = follow(happened, lags);
        expect(gets).toBeLessThanOrEqual(3 * happened.length + 3);
        // A record that is canceled no longer shows whether it was closed.
        if (happened.some(({ move }) => move === 'canceled')) return;
        const last = happened.findLast(({ move }) => move === 'confirmed' || move === 'unconfirmed');
        expect(lifecycle.registers.closing?.milestone).toBe(last?.move);
      }),
      { numRuns: runs(2000) },
    );
  });
});
