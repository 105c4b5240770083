import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/domain/catalogue/catalogue.ts';
import type { PlannedEvent } from '../../../src/domain/catalogue/event.ts';
import { type Lifecycle, type ReportingEvent, unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { observe, observeClock } from '../../../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import { needsAttention, stageOf } from '../../../src/domain/lifecycle/stage.ts';
import { progressOf } from '../../../src/domain/lifecycle/standing.ts';
import { eventOf } from '../../support/make.ts';
import { runs } from '../../thoroughness.ts';

const event = (
  id: number,
  milestone: Milestone,
  time = id * 1000,
  details: Partial<PlannedEvent> = {},
): ReportingEvent => eventOf(id, milestone, { ...details, time });

const open: Snapshot = { status: 'open', fullyAllocated: false, pickDone: false, packStarted: false, packDone: false };

/** Milestones that events of an order report. */
const eventMilestones = catalogue.filter(({ subject }) => subject === 'order').map(({ milestone }) => milestone);

/** Feeds batches to a lifecycle and gathers what would be announced. */
function live(
  batches: readonly { events: readonly PlannedEvent[]; snapshot?: Snapshot | null }[],
  from: Lifecycle = unknownLifecycle,
) {
  const announced: string[] = [];
  let lifecycle = from;
  for (const { events, snapshot = null } of batches) {
    const observed = observe(lifecycle, events, snapshot);
    lifecycle = JSON.parse(JSON.stringify(observed.lifecycle)) as Lifecycle;
    announced.push(
      ...observed.changes.map(
        (change) =>
          `${change.revision}/${change.milestone}${change.late ? ' late' : ''}${change.cause === 'snapshot' ? ' inferred' : ''}`,
      ),
    );
  }
  return { lifecycle, announced, stage: stageOf(lifecycle) };
}

const oneByOne = (events: readonly PlannedEvent[], snapshot?: Snapshot) =>
  live(events.map((one) => ({ events: [one], ...(snapshot && { snapshot }) })));

describe('the lifecycle of an order', () => {
  const straight = (['created', 'fullyAllocated', 'picked', 'packStarted', 'packed', 'confirmed'] as const).map(
    (milestone, i) => event(i + 1, milestone),
  );

  it('passes the stages in order', () => {
    const stagesSeen = straight.map((_, i) => oneByOne(straight.slice(0, i + 1)).stage);
    expect(stagesSeen).toEqual(['created', 'fullyAllocated', 'picked', 'packing', 'packed', 'confirmed']);
  });

  it('announces each event once and in order', () => {
    expect(oneByOne(straight).announced).toEqual([
      '1/created',
      '2/fullyAllocated',
      '3/picked',
      '4/packStarted',
      '5/packed',
      '6/confirmed',
    ]);
  });

  it('announces the same for one batch as for single events', () => {
    expect(live([{ events: straight.toReversed() }])).toEqual(oneByOne(straight));
  });

  it('can confirm again an order that was reopened after closing', () => {
    const { announced, stage } = oneByOne([...straight, event(7, 'unconfirmed'), event(8, 'confirmed')]);
    expect(announced.slice(5)).toEqual(['6/confirmed', '7/unconfirmed', '8/confirmed']);
    expect(stage).toBe('confirmed');
  });

  it('returns to the stage before closing when it is reopened', () => {
    expect(oneByOne([...straight, event(7, 'unconfirmed')]).stage).toBe('packed');
  });

  it('counts as picked if it was excluded from its pick job before', () => {
    expect(oneByOne([event(1, 'excludedFromPickJob')]).stage).toBe('created');
    expect(oneByOne([event(1, 'excludedFromPickJob'), event(2, 'picked')]).stage).toBe('picked');
    expect(oneByOne([event(2, 'picked'), event(1, 'excludedFromPickJob')]).stage).toBe('picked');
  });

  it('marks an event that happened before what is announced already as late, and keeps its stage', () => {
    const { announced, stage } = oneByOne([event(3, 'confirmed'), event(2, 'unconfirmed'), event(1, 'confirmed')]);
    expect(announced).toEqual(['1/confirmed', '2/unconfirmed late', '3/confirmed late']);
    expect(stage).toBe('confirmed');
  });

  it('orders events of the same millisecond by their numeric ids', () => {
    expect(live([{ events: [event(10, 'unconfirmed', 5), event(9, 'confirmed', 5)] }]).stage).toBe('created');
  });
});

describe('a snapshot', () => {
  const packed: Snapshot = { ...open, fullyAllocated: true, pickDone: true, packStarted: true, packDone: true };

  it('infers milestones without an event, before later ones', () => {
    expect(live([{ events: [event(5, 'packed')], snapshot: packed }]).announced).toEqual([
      '1/created inferred',
      '2/fullyAllocated inferred',
      '3/picked inferred',
      '4/packStarted inferred',
      '5/packed',
    ]);
  });

  it('is not announced again when its event arrives later', () => {
    const { announced } = live([
      { events: [event(5, 'packed')], snapshot: packed },
      { events: [event(3, 'picked'), event(1, 'created')], snapshot: packed },
    ]);
    expect(announced).toHaveLength(5);
  });

  it('takes back an allocation and a closing that are gone', () => {
    const { announced, stage } = live([
      {
        events: [event(1, 'created'), event(2, 'fullyAllocated'), event(3, 'confirmed')],
        snapshot: { ...open, status: 'closed', fullyAllocated: true },
      },
      { events: [event(4, 'updated')], snapshot: open },
    ]);
    expect(announced.slice(3)).toEqual(['4/updated', '5/allocationLost inferred', '6/unconfirmed inferred']);
    expect(stage).toBe('created');
  });

  it('leaves a milestone to an event of the same batch', () => {
    const { announced } = live([
      {
        events: [event(1, 'created'), event(2, 'updated'), event(3, 'fullyAllocated')],
        snapshot: { ...open, fullyAllocated: true },
      },
    ]);
    expect(announced).toEqual(['1/created', '2/updated', '3/fullyAllocated']);
  });

  it('announces a second closing although the first was only inferred', () => {
    const { announced } = live([
      { events: [event(1, 'created')], snapshot: { ...open, status: 'closed' } },
      { events: [event(2, 'unconfirmed')], snapshot: open },
      { events: [event(3, 'confirmed')], snapshot: { ...open, status: 'closed' } },
    ]);
    expect(announced).toEqual(['1/created', '2/confirmed inferred', '3/unconfirmed', '4/confirmed']);
  });
});

describe('any order of arrival', () => {
  const history = fc
    .array(fc.tuple(fc.constantFrom(...eventMilestones), fc.integer({ min: 0, max: 5 })), {
      minLength: 1,
      maxLength: 12,
    })
    .map((steps) => {
      let time = 0;
      return steps.map(([milestone, pause], index) => {
        time += pause;
        return event(index + 1, milestone, time);
      });
    });

  const arrivals = history.chain((events) =>
    fc.record({
      events: fc.constant(events),
      order: fc.shuffledSubarray(events, { minLength: events.length }),
      cuts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
      shown: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
    }),
  );

  /** Snapshot of the warehouse after the whole history. */
  function truth(events: readonly ReportingEvent[]): Snapshot {
    const last = (...of: Milestone[]) => events.findLast(({ milestone }) => of.includes(milestone))?.milestone;
    return {
      status: last('canceled') ? 'canceled' : last('confirmed', 'unconfirmed') === 'confirmed' ? 'closed' : 'open',
      fullyAllocated: last('fullyAllocated') !== undefined,
      pickDone: last('picked', 'excludedFromPickJob') === 'picked',
      packStarted: last('packStarted') !== undefined,
      packDone: last('packed') !== undefined,
    };
  }

  function batchesOf(
    { order, cuts, shown }: { order: PlannedEvent[]; cuts: number[]; shown: boolean[] },
    snapshot: Snapshot,
  ) {
    const batches: { events: PlannedEvent[]; snapshot: Snapshot | null }[] = [];
    for (let at = 0, i = 0; at < order.length; i += 1) {
      const size = cuts[i % cuts.length] ?? 1;
      batches.push({ events: order.slice(at, at + size), snapshot: shown[i % shown.length] ? snapshot : null });
      at += size;
    }
    return batches;
  }

  const milestonesOf = ({ lifecycle }: { lifecycle: Lifecycle }) =>
    Object.fromEntries(
      Object.entries(lifecycle.registers).map(([register, observed]) => [register, observed?.milestone] as const),
    );

  it('gives the same registers', () => {
    fc.assert(
      fc.property(arrivals, (arrival) => {
        const shuffled = live(batchesOf(arrival, open).map(({ events }) => ({ events })));
        expect(shuffled.lifecycle.registers).toEqual(oneByOne(arrival.events).lifecycle.registers);
      }),
      { numRuns: runs(500) },
    );
  });

  it('results in the same milestones with truthful snapshots', () => {
    fc.assert(
      fc.property(arrivals, (arrival) => {
        const snapshot = truth(arrival.events);
        const shuffled = live([...batchesOf(arrival, snapshot), { events: [], snapshot }]);
        const inOrder = live([{ events: arrival.events, snapshot }]);
        expect(milestonesOf(shuffled)).toEqual(milestonesOf(inOrder));
        expect(shuffled.stage).toBe(inOrder.stage);
      }),
      { numRuns: runs(500) },
    );
  });

  it('announces as often as something happened, although snapshots overtake events', () => {
    // What no warehouse allows would hide what happened from every GET.
    const isPossible = (events: readonly ReportingEvent[]) => {
      const names = events.map(({ milestone }) => milestone);
      const closings = names.filter((name) => name === 'confirmed' || name === 'unconfirmed');
      const alternate = closings.every((name, index) => name === (index % 2 === 0 ? 'confirmed' : 'unconfirmed'));
      const canceledWhileClosed = names.includes('canceled') && names.includes('confirmed');
      const excludedAfterPick =
        names.includes('picked') && names.lastIndexOf('excludedFromPickJob') > names.indexOf('picked');
      return alternate && !canceledWhileClosed && !excludedAfterPick;
    };
    const possible = history.filter(isPossible).map((events) => events.map((one, index) => ({ ...one, time: index })));
    const overtaken = possible.chain((events) =>
      fc.record({
        events: fc.constant(events),
        order: fc.shuffledSubarray(events, { minLength: events.length }),
        ahead: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 }),
      }),
    );
    fc.assert(
      fc.property(overtaken, ({ events, order, ahead }) => {
        let now = 0;
        const batches = order.map((arrived, i) => {
          now = Math.min(events.length, Math.max(now, events.indexOf(arrived) + 1) + (ahead[i] ?? 0));
          return { events: [arrived], snapshot: truth(events.slice(0, now)) };
        });
        const told = live(batches);
        const unasked = told.lifecycle.inferred.filter(
          (milestone) => !events.some((event) => event.milestone === milestone),
        );
        expect(told.announced.length - unasked.length).toBe(events.length);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('announces without gaps, each event and each inference once', () => {
    fc.assert(
      fc.property(arrivals, (arrival) => {
        const snapshot = truth(arrival.events);
        const { announced, lifecycle } = live(batchesOf(arrival, snapshot));
        expect(announced.map((text) => Number.parseInt(text, 10))).toEqual(announced.map((_, index) => index + 1));
        const inferred = announced.filter((text) => text.endsWith('inferred')).length;
        const absorbed = inferred - lifecycle.inferred.length;
        expect(announced.length).toBe(arrival.events.length + inferred - absorbed);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('the lines of an order', () => {
  const of = (orderItemId: string) => ({ orderItemId });
  const events = [
    event(1, 'itemPicked', 1000, of('a')),
    event(2, 'itemPicked', 2000, of('b')),
    event(3, 'itemPacked', 3000, of('a')),
    event(4, 'itemUnpicked', 4000, of('b')),
  ];

  it('each have registers of their own, whatever the order of arrival', () => {
    const { lifecycle, announced, stage } = oneByOne(events);
    expect(announced).toEqual(['1/itemPicked', '2/itemPicked', '3/itemPacked', '4/itemUnpicked']);
    expect(progressOf({ ...lifecycle, snapshot: { lineCount: 3 } })).toEqual({
      lines: 3,
      picked: 1,
      packed: 1,
      byLine: { a: { picked: true, packed: true }, b: { picked: false, packed: false } },
    });
    expect(stage).toBe('created');
    expect(oneByOne(events.toReversed()).lifecycle.registers).toEqual(lifecycle.registers);
  });

  it('have no total if it is unknown', () => {
    expect(progressOf(unknownLifecycle)).toEqual({ lines: null, picked: 0, packed: 0, byLine: {} });
  });

  it.each([
    [[], { pickDone: true }, { picked: 3, packed: 0 }],
    [[], { packDone: true }, { picked: 3, packed: 3 }],
    [[event(5, 'packed', 5000)], {}, { picked: 3, packed: 3 }],
    [[event(5, 'picked', 5000)], {}, { picked: 0, packed: 0 }],
    [[...events, event(5, 'packed', 5000)], { packDone: true }, { picked: 1, packed: 1 }],
  ] as const)('are counted as the order shows them only if no line event came: %j %j', (all, shown, expected) => {
    const { lifecycle } = oneByOne([...all]);
    expect(progressOf({ ...lifecycle, snapshot: { lineCount: 3, ...shown } })).toMatchObject({ lines: 3, ...expected });
    expect(progressOf({ ...lifecycle, snapshot: { ...shown } }).lines).toBeNull();
  });

  it('allow a thousand events of five hundred lines in one batch', () => {
    const many = Array.from({ length: 500 }, (_, line) => [
      event(2 * line, 'itemPicked', 1000, of(String(line))),
      event(2 * line + 1, 'itemPacked', 2000, of(String(line))),
    ]).flat();
    const { lifecycle, announced } = live([{ events: many }]);
    expect(announced).toHaveLength(1000);
    expect(progressOf(lifecycle)).toMatchObject({ picked: 500, packed: 500 });
    // Temporal takes two megabytes at once.
    expect(Buffer.byteLength(JSON.stringify(lifecycle))).toBeLessThan(200_000);
  });
});

describe('an item', () => {
  it('is deactivated and reactivated by what its GETs show after updates', () => {
    const { announced, stage } = live([
      { events: [event(1, 'created')], snapshot: { deactivated: false } },
      { events: [event(2, 'updated')], snapshot: { deactivated: true } },
      { events: [event(3, 'updated')], snapshot: { deactivated: false } },
    ]);
    expect(announced).toEqual([
      '1/created',
      '2/updated',
      '3/deactivated inferred',
      '4/updated',
      '5/reactivated inferred',
    ]);
    expect(stage).toBe('created');
  });
});

describe('the levels of a stock summary', () => {
  const level = (id: number, onHand: number, time = id * 1000) =>
    event(id, 'changed', time, { shown: { levels: { onHand } } });

  it('are announced with what was before', () => {
    const first = observe(unknownLifecycle, [level(1, 5)], null);
    expect(first.changes).toMatchObject([{ before: null, after: { levels: { onHand: 5 } }, coalesced: 1 }]);
    const second = observe(first.lifecycle, [level(2, 3)], null);
    expect(second.changes).toMatchObject([
      { revision: 2, before: { levels: { onHand: 5 } }, after: { levels: { onHand: 3 } } },
    ]);
    expect(stageOf(second.lifecycle)).toBe('current');
  });

  it('coalesce: of all that waits only the newest is announced, and says how many it stands for', () => {
    const flood = Array.from({ length: 200 }, (_, index) => level(index, index));
    const { lifecycle, changes } = observe(unknownLifecycle, flood.toReversed(), null);
    expect(changes).toMatchObject([{ revision: 1, after: { levels: { onHand: 199 } }, coalesced: 200 }]);
    expect(lifecycle.lastEventTime).toBe(199_000);
  });

  it('that are older than what is known are not announced any more', () => {
    const known = observe(unknownLifecycle, [level(5, 50)], null).lifecycle;
    const { lifecycle, changes } = observe(known, [level(4, 40)], null);
    expect(changes).toEqual([]);
    expect(lifecycle.snapshot).toEqual({ levels: { onHand: 50 } });
  });

  it('end in the newest, whatever the order and the batches in which they come', () => {
    const histories = fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }).chain((amounts) => {
      const levels = amounts.map((amount, index) => level(index + 1, amount));
      return fc.tuple(fc.constant(levels), fc.shuffledSubarray(levels, { minLength: levels.length }), fc.nat(4));
    });
    fc.assert(
      fc.property(histories, ([levels, order, size]) => {
        const batches = Array.from({ length: order.length }, (_, at) => ({
          events: order.slice(at * (size + 1), (at + 1) * (size + 1)),
        }));
        expect(live(batches).lifecycle.snapshot).toEqual(levels.at(-1)?.shown);
      }),
    );
  });

  it('are announced as inferred if a GET shows others, and the next event is still announced', () => {
    const known = observe(unknownLifecycle, [level(1, 5)], null).lifecycle;
    expect(observe(known, [], { levels: { onHand: 5 } }).changes).toEqual([]);
    const { lifecycle, changes } = observe(known, [], { levels: { onHand: 4 } });
    expect(changes).toMatchObject([{ cause: 'snapshot', before: { levels: { onHand: 5 } } }]);
    expect(observe(lifecycle, [level(2, 3)], null).changes).toMatchObject([{ before: { levels: { onHand: 4 } } }]);
  });
});

describe('a received item', () => {
  const held = event(1, 'placedOnHold', 1000, { shown: { onHold: true } });
  const freed = event(2, 'releasedFromHold', 2000, { shown: { onHold: false } });

  it('is held and released, each with the state before', () => {
    const { lifecycle, changes } = observe(unknownLifecycle, [held, freed], null);
    expect(changes).toMatchObject([
      { milestone: 'placedOnHold', before: null, after: { onHold: true } },
      { milestone: 'releasedFromHold', before: { onHold: true }, after: { onHold: false } },
    ]);
    expect(stageOf(lifecycle)).toBe('released');
  });

  it('keeps the newest state if the older event is late', () => {
    const { lifecycle, announced, stage } = oneByOne([freed, held]);
    expect(announced).toEqual(['1/releasedFromHold', '2/placedOnHold late']);
    expect(stage).toBe('released');
    expect(lifecycle.snapshot).toEqual({ onHold: false });
  });

  it('keeps its facts where a message names several customers, which is announced as it is', () => {
    const { lifecycle, changes } = observe(unknownLifecycle, [held, { ...freed, disputed: true }], null);
    expect(lifecycle.snapshot).toEqual({ onHold: true });
    expect(changes).toMatchObject([{}, { milestone: 'releasedFromHold', after: { onHold: false } }]);
    expect(stageOf(lifecycle)).toBe('released');
  });
});

describe('a look that a sweep asks for', () => {
  const look = { ...event(9, 'updated', 900_000), name: 'Reconciliation', milestone: null };

  it('announces what it shows and nothing of its own', () => {
    const { announced, stage } = live([
      { events: [event(1, 'created')] },
      { events: [look], snapshot: { ...open, packDone: true } },
    ]);
    expect(announced).toEqual(['1/created', '2/packed inferred']);
    expect(stage).toBe('packed');
  });

  it('does not make late what the warehouse’s clock times before it', () => {
    const { announced } = live([
      { events: [event(1, 'created')] },
      { events: [look], snapshot: open },
      { events: [event(2, 'updated', 800_000)] },
    ]);
    expect(announced).toEqual(['1/created', '2/updated']);
  });

  it('dates a milestone without other events by its own time', () => {
    const { changes } = observe(unknownLifecycle, [look], open);
    expect(changes).toMatchObject([{ milestone: 'created', time: 900_000 }]);
  });

  it('finds the subject deleted that is gone, and the event that says so is not announced again', () => {
    const { announced, stage } = live([
      { events: [event(1, 'created')], snapshot: open },
      { events: [look], snapshot: { ...open, status: 'gone' } },
      { events: [event(2, 'deleted')] },
    ]);
    expect(announced).toEqual(['1/created', '2/deleted inferred']);
    expect(stage).toBe('deleted');
  });
});

describe('attention', () => {
  it('is asked for by a stall and ended by a resumption, each a revision', () => {
    const created = observe(unknownLifecycle, [event(1, 'created')], null).lifecycle;
    const stalled = observeClock(created, { milestone: 'stalled', time: 9000 });
    expect(stalled.changes).toMatchObject([{ revision: 2, milestone: 'stalled', cause: 'clock', time: 9000 }]);
    expect(needsAttention(stalled.lifecycle)).toBe(true);
    expect(stageOf(stalled.lifecycle)).toBe('created');
    const resumed = observeClock(stalled.lifecycle, { milestone: 'resumed', time: 9500 });
    expect(needsAttention(resumed.lifecycle)).toBe(false);
    expect(resumed.lifecycle.revision).toBe(3);
  });
});
