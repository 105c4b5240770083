import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readerOf } from '../../../src/base/json.ts';
import { type CatalogueEntry, catalogue } from '../../../src/domain/catalogue/catalogue.ts';
import { planEvent, type WarehouseEvent } from '../../../src/domain/catalogue/event.ts';
import { announced, type SubjectKind, subjectKinds, sweptKinds } from '../../../src/domain/catalogue/subject.ts';
import { readRecord } from '../../../src/domain/kinds/record.ts';
import { readStockSummary } from '../../../src/domain/kinds/stock/summary.ts';
import { unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { isOfClock, observeBatch } from '../../../src/domain/lifecycle/observe.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';

const flag = fc.constantFrom(undefined, null, true, false);
const date = fc.constantFrom(undefined, null, '2026-02-11T10:42:19');
const facts = {
  Status: fc.constantFrom(undefined, 0, 1, 2, 3, 'x'),
  IsClosed: flag,
  DeferNotification: flag,
  FullyAllocated: flag,
  PickDoneDate: date,
  PackStarted: date,
  PackDoneDate: date,
  Deactivated: flag,
};

/** Any record of the warehouse: each fact there, absent or null, within `ReadOnly` or beside it. */
const anyRecord = fc.record({ ...facts, ReadOnly: fc.option(fc.record(facts)) }).map((it) => JSON.stringify(it));

const anyStock = fc.record({ FacilityId: fc.constant(1), ItemIdentifier: fc.constant({ id: 2 }), OnHand: fc.nat() });

/** Reads a record as the client of the warehouse does; kinds that have none show nothing. */
function read(kind: SubjectKind, text: string): Snapshot | null {
  if (kind === 'hold' || kind === 'stock') return null;
  return readRecord(kind, JSON.parse(text)).snapshot;
}

/** Any snapshot of a kind; the warehouse is asked only for what it lists whether it still has it. */
const snapshotOf = (kind: SubjectKind): fc.Arbitrary<Snapshot | null> =>
  fc.oneof(
    fc.constant(null),
    kind === 'stock'
      ? anyStock.map((it) => readStockSummary(readerOf(it))?.snapshot ?? null)
      : anyRecord.map((text) => read(kind, text)),
    fc.constant(sweptKinds.some((swept) => swept === kind) ? { status: 'gone' as const } : null),
  );

const eventOf = (
  kind: SubjectKind,
  { subject, name, milestone }: CatalogueEntry,
  index: number,
  stock: object,
): WarehouseEvent => ({
  id: `9104:${index}`,
  name,
  time: index,
  tenant: '9104',
  subject: kind,
  subjectId: '1',
  ...(subject === 'orderItem' && { orderItemId: '2' }),
  ...(kind === 'hold' && { shown: { onHold: milestone === 'placedOnHold' } }),
  ...(kind === 'stock' && { shown: readStockSummary(readerOf(stock))?.snapshot ?? {} }),
});

it.each(subjectKinds)('whatever happens to a subject is announced as a type that there is: %s', (kind) => {
  const own = catalogue.filter(({ subject }) => subject === kind || (kind === 'order' && subject === 'orderItem'));
  const step = fc.record({
    events: fc.array(fc.record({ entry: fc.constantFrom(...own), at: fc.nat(99), stock: anyStock }), { maxLength: 3 }),
    snapshot: snapshotOf(kind),
  });
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      let lifecycle = unknownLifecycle;
      for (const { events, snapshot } of steps) {
        const planned = events.flatMap(({ entry, at, stock }) => planEvent(eventOf(kind, entry, at, stock)) ?? []);
        const observed = observeBatch(lifecycle, { kind, events: planned, snapshot, now: 100 });
        lifecycle = observed.lifecycle;
        for (const { milestone } of observed.changes) seen.add(milestone);
      }
    }),
    // A tenth of them seldom misses that an item is activated again.
    { numRuns: 500 },
  );
  const announcedOf = Object.keys(announced[kind]) as Milestone[];
  expect([...seen].sort()).toEqual(announcedOf.filter((milestone) => !isOfClock(milestone)).sort());
});
