import { describe, expect, it } from 'vitest';
import { enrich } from '../../../src/domain/catalogue/enrichment.ts';
import type { PlannedEvent } from '../../../src/domain/catalogue/event.ts';
import { unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { observe, observeBatch, observeClock } from '../../../src/domain/lifecycle/observe.ts';

const created: PlannedEvent = { id: '9104:1', name: 'OrderCreate', milestone: 'created', time: 1000, plan: [] };
const allocated: PlannedEvent = {
  ...{ id: '9104:2', name: 'OrderFullyAllocated', milestone: 'fullyAllocated', time: 2000, plan: [] },
};
const updated: PlannedEvent = { id: '9104:3', name: 'OrderUpdate', milestone: 'updated', time: 2000, plan: [] };

const known = observe(unknownLifecycle, [created], { status: 'open', customerId: '418' }).lifecycle;

describe('a batch', () => {
  const stalled = observeClock(known, 'stalled', 1500).lifecycle;
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

describe('the resources of a change', () => {
  const subject = { tenant: '9104', kind: 'order', id: '7' } as const;
  const enriched = (event: PlannedEvent, found?: Parameters<typeof enrich>[2]) =>
    enrich(subject, observe(known, [event], null), found)[0];
  const partsOf = (...given: Parameters<typeof enriched>) => enriched(...given)?.parts;

  it('are the subject and its customer, and those that its event asks for, named by it or found', () => {
    const plan = ['getUser', 'getOrdersPicklist'] as const;
    const found = { modifiedBy: '2108', pickJobId: '55' };
    expect(enriched(allocated, found)).toMatchObject({ own: { kind: 'order', id: '7' }, parts: { customer: '418' } });
    expect(partsOf({ ...allocated, plan })).toEqual({ customer: '418', pickList: null });
    expect(partsOf({ ...allocated, plan }, found)).toMatchObject({ user: '2108', pickList: '55' });
    expect(partsOf({ ...allocated, plan, userId: '1', pickJobId: '2' }, found)).toMatchObject({
      ...{ user: '1', pickList: '2' },
    });
  });

  it('are the line for an event about one', () => {
    const line: PlannedEvent = { ...allocated, milestone: 'itemPicked', orderItemId: '70' };
    expect(enriched(line)?.own).toMatchObject({ kind: 'orderItem', id: '7/70', operation: 'getOrdersItem' });
  });
});
