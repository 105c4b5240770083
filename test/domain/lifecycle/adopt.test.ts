import { describe, expect, it } from 'vitest';
import type { PlannedEvent } from '../../../src/domain/catalogue/event.ts';
import { type Lifecycle, unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { observeBatch } from '../../../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import { stageOf } from '../../../src/domain/lifecycle/stage.ts';

const packed: Snapshot = { status: 'open', fullyAllocated: true, pickDone: true, packStarted: true, packDone: true };
const now = Date.parse('2026-02-11T12:00:00Z');

const backfill = (listed: Snapshot, id = 'backfill:9104:order:1'): PlannedEvent => ({
  ...{ id, name: 'Backfill', time: now, milestone: null, plan: [], listed },
});

const report = (milestone: Milestone, time: number): PlannedEvent => ({
  ...{ id: `9104:${time}`, name: milestone, time, milestone, plan: [] },
});

const observe = (before: Lifecycle, events: readonly PlannedEvent[], snapshot: Snapshot | null = null) => {
  const { lifecycle, changes } = observeBatch(before, { kind: 'order', events, snapshot, now });
  const announced = changes.map(
    ({ revision, milestone, cause, late }) => `${revision}/${milestone} ${cause}${late ? ' late' : ''}`,
  );
  return { lifecycle, announced };
};

describe('a subject that a backfill found', () => {
  it('is known as the listing shows it, and nothing is announced', () => {
    const { lifecycle, announced } = observe(unknownLifecycle, [backfill(packed)]);
    expect(announced).toEqual([]);
    expect(stageOf(lifecycle)).toBe('packed');
    expect(lifecycle).toMatchObject({ revision: 0, snapshot: packed, inferred: [] });
  });

  it('announces what happens from then on, from revision 1', () => {
    const { lifecycle } = observe(unknownLifecycle, [backfill(packed)]);
    const next = observe(lifecycle, [report('confirmed', now + 1)], { ...packed, status: 'closed' });
    expect(next.announced).toEqual(['1/confirmed event']);
  });

  it('announces an event of what was shown that was still under way', () => {
    const { lifecycle } = observe(unknownLifecycle, [backfill(packed)]);
    expect(observe(lifecycle, [report('packed', now - 60_000)], packed).announced).toEqual(['1/packed event']);
  });

  it('announces what the listing did not show yet once', () => {
    const { lifecycle } = observe(unknownLifecycle, [backfill({ status: 'closed' })]);
    const reopened = observe(lifecycle, [report('unconfirmed', now - 1000)], { status: 'open' });
    expect(reopened.announced).toEqual(['1/unconfirmed event']);
    expect(stageOf(reopened.lifecycle)).toBe('created');
  });

  it('announces an event of the same batch', () => {
    expect(observe(unknownLifecycle, [report('packed', now), backfill(packed)], packed).announced).toEqual([
      '1/packed event',
    ]);
  });

  it('is left alone if it was known', () => {
    const { lifecycle } = observe(unknownLifecycle, [report('created', now)], { status: 'open' });
    const again = observe(lifecycle, [backfill(packed)]);
    expect(again.announced).toEqual([]);
    expect(again.lifecycle).toEqual(lifecycle);
    const adopted = observe(unknownLifecycle, [backfill(packed)]).lifecycle;
    expect(observe(adopted, [backfill({ status: 'closed' })]).lifecycle).toEqual(adopted);
  });
});
