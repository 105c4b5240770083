import { expect, it } from 'vitest';
import type { SubjectKind } from '../../../src/domain/catalogue/subject.ts';
import { lastOrderStages, openStagesOf, type Stage, stagesOf } from '../../../src/domain/lifecycle/stage.ts';

const stagesByKind: Readonly<
  Record<SubjectKind, { readonly open: readonly Stage[]; readonly over: readonly Stage[] }>
> = {
  order: {
    open: ['created', 'completed', 'fullyAllocated', 'picked', 'packing', 'packed'],
    over: ['confirmed', 'canceled', 'deleted'],
  },
  receipt: { open: ['created', 'completed'], over: ['confirmed', 'canceled', 'deleted'] },
  adjustment: { open: ['created'], over: ['completed', 'canceled', 'deleted'] },
  assembly: { open: ['created'], over: ['completed', 'canceled', 'deleted'] },
  item: { open: [], over: ['created', 'deactivated', 'deleted'] },
  stock: { open: [], over: ['current'] },
  hold: { open: [], over: ['onHold', 'released'] },
};

it.each(Object.entries(stagesByKind) as [SubjectKind, (typeof stagesByKind)[SubjectKind]][])(
  'the stages of the kind "%s" are in the order in which they are passed, the open ones first',
  (kind, { open, over }) => {
    expect(openStagesOf(kind)).toEqual(open);
    expect(stagesOf(kind)).toEqual([...open, ...over]);
  },
);

it('an order that is confirmed, canceled or deleted is over', () => {
  expect(lastOrderStages).toEqual(['confirmed', 'canceled', 'deleted']);
});
