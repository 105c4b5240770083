import { describe, expect, it } from 'vitest';
import { enrich } from '../../../src/domain/catalogue/enrichment.ts';
import type { PlannedEvent } from '../../../src/domain/catalogue/event.ts';
import { type Lifecycle, unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { observe, observeBatch, observeClock } from '../../../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import { stageOf } from '../../../src/domain/lifecycle/stage.ts';
import { eventOf, orderOf } from '../../support/make.ts';

const created = eventOf(1, 'created', { name: 'OrderCreate', time: 1000 });
const allocated = eventOf(2, 'fullyAllocated', { name: 'OrderFullyAllocated', time: 2000 });
const updated = eventOf(3, 'updated', { name: 'OrderUpdate', time: 2000 });

const known = observe(unknownLifecycle, [created], { status: 'open', customerId: '418' }).lifecycle;

describe('a batch', () => {
  const stalled = observeClock(known, { milestone: 'stalled', time: 1500 }).lifecycle;
  const resumesWith = (event: PlannedEvent) =>
    observeBatch(stalled, { kind: 'order', events: [event], snapshot: null, now: 3000 }).changes.at(-1);

  it('ends a stall when the stage moves, and only then', () => {
    expect(resumesWith(allocated)).toMatchObject({ milestone: 'resumed', time: 3000, cause: 'clock' });
    expect(resumesWith(updated)).toMatchObject({ milestone: 'updated' });
  });

  it('keeps what was known of what is gone, and of whose stock it is', () => {
    const snapshotAfter = (kind: 'order' | 'stock', snapshot: Parameters<typeof observe>[2]) =>
      observeBatch(known, { kind, events: [], snapshot, now: 0 }).lifecycle.snapshot;
    expect(snapshotAfter('order', { status: 'gone' })).toEqual({ status: 'gone', customerId: '418' });
    expect(snapshotAfter('stock', { facilityId: '12' })).toMatchObject({ facilityId: '12', customerId: '418' });
    expect(snapshotAfter('order', { status: 'closed' })).toEqual({ status: 'closed' });
    expect(snapshotAfter('order', null)).toEqual(known.snapshot);
  });
});

describe('a subject that a backfill found', () => {
  const packed: Snapshot = { status: 'open', fullyAllocated: true, pickDone: true, packStarted: true, packDone: true };
  const now = Date.parse('2026-02-11T12:00:00Z');

  const backfill = (listed: Snapshot): PlannedEvent => ({
    id: 'backfill:9104:order:1',
    name: 'Backfill',
    time: now,
    milestone: null,
    plan: [],
    listed,
  });

  const report = (milestone: Milestone, time: number): PlannedEvent => ({
    id: `9104:${time}`,
    name: milestone,
    time,
    milestone,
    plan: [],
  });

  const batch = (before: Lifecycle, events: readonly PlannedEvent[], snapshot: Snapshot | null = null) => {
    const { lifecycle, changes } = observeBatch(before, { kind: 'order', events, snapshot, now });
    const announced = changes.map(
      ({ revision, milestone, cause, late }) => `${revision}/${milestone} ${cause}${late ? ' late' : ''}`,
    );
    return { lifecycle, announced };
  };

  it('is known as the listing shows it, and nothing is announced', () => {
    const { lifecycle, announced } = batch(unknownLifecycle, [backfill(packed)]);
    expect(announced).toEqual([]);
    expect(stageOf(lifecycle)).toBe('packed');
    expect(lifecycle).toMatchObject({ revision: 0, snapshot: packed, inferred: [] });
  });

  it('announces what happens from then on, from revision 1', () => {
    const { lifecycle } = batch(unknownLifecycle, [backfill(packed)]);
    const next = batch(lifecycle, [report('confirmed', now + 1)], { ...packed, status: 'closed' });
    expect(next.announced).toEqual(['1/confirmed event']);
  });

  it('announces an event of what was shown that was still under way', () => {
    const { lifecycle } = batch(unknownLifecycle, [backfill(packed)]);
    expect(batch(lifecycle, [report('packed', now - 60_000)], packed).announced).toEqual(['1/packed event']);
  });

  it('announces what the listing did not show yet once', () => {
    const { lifecycle } = batch(unknownLifecycle, [backfill({ status: 'closed' })]);
    const reopened = batch(lifecycle, [report('unconfirmed', now - 1000)], { status: 'open' });
    expect(reopened.announced).toEqual(['1/unconfirmed event']);
    expect(stageOf(reopened.lifecycle)).toBe('created');
  });

  it('announces an event of the same batch', () => {
    expect(batch(unknownLifecycle, [report('packed', now), backfill(packed)], packed).announced).toEqual([
      '1/packed event',
    ]);
  });

  it('is left alone if it was known', () => {
    const { lifecycle } = batch(unknownLifecycle, [report('created', now)], { status: 'open' });
    const again = batch(lifecycle, [backfill(packed)]);
    expect(again.announced).toEqual([]);
    expect(again.lifecycle).toEqual(lifecycle);
    const adopted = batch(unknownLifecycle, [backfill(packed)]).lifecycle;
    expect(batch(adopted, [backfill({ status: 'closed' })]).lifecycle).toEqual(adopted);
  });
});

describe('the resources of a change', () => {
  const subject = orderOf('7');
  const enriched = (event: PlannedEvent, found?: Parameters<typeof enrich>[2]) => {
    const { changes } = observe(known, [event], null);
    return enrich(subject, { changes: changes.map((change) => ({ ...change, customerId: '418' })) }, found)[0];
  };
  const partsOf = (...given: Parameters<typeof enriched>) => enriched(...given)?.parts;

  it('are the subject and its customer, and those that its event asks for, named by it or found', () => {
    const plan = ['getUser', 'getOrdersPicklist'] as const;
    const found = { modifiedBy: '2108', pickJobId: '55' };
    expect(enriched(allocated, found)).toMatchObject({ own: { kind: 'order', id: '7' }, parts: { customer: '418' } });
    expect(partsOf({ ...allocated, plan })).toEqual({ customer: '418', pickList: null });
    expect(partsOf({ ...allocated, plan }, found)).toMatchObject({ user: '2108', pickList: '55' });
    expect(partsOf({ ...allocated, plan, userId: '1', pickJobId: '2' }, found)).toMatchObject({
      user: '1',
      pickList: '2',
    });
  });

  it('are the line for an event about one', () => {
    const line: PlannedEvent = { ...allocated, milestone: 'itemPicked', orderItemId: '70' };
    expect(enriched(line)?.own).toMatchObject({ kind: 'orderItem', id: '7/70', operation: 'getOrdersItem' });
  });
});
