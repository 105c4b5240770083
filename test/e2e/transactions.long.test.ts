import { describe, expect, it } from 'vitest';
import type { EventName } from '../../sandbox/simulator/kinds/kinds.ts';
import type { SubjectKind } from '../../src/domain/catalogue/subject.ts';
import { useSystem } from '../support/shared-system.ts';
import { startSystem } from '../support/system.ts';

const shared = useSystem();

const lifecycles: readonly (readonly [
  kind: SubjectKind,
  events: readonly EventName[],
  milestones: readonly string[],
  stage: string,
])[] = [
  [
    'receipt',
    ['ReceiptCreate', 'ReceiptUpdate', 'ReceiptComplete', 'ReceiptConfirm', 'ReceiptUnconfirm', 'ReceiptConfirm'],
    ['1/created', '2/updated', '3/completed', '4/confirmed', '5/unconfirmed', '6/confirmed'],
    'confirmed',
  ],
  [
    'adjustment',
    ['AdjustmentCreate', 'AdjustmentUpdate', 'AdjustmentConfirm'],
    ['1/created', '2/updated', '3/completed'],
    'completed',
  ],
  [
    'assembly',
    ['AssemblyCreate', 'AssemblyUpdate', 'AssemblyConfirm'],
    ['1/created', '2/updated', '3/completed'],
    'completed',
  ],
];

describe('the workflow of a transaction', () => {
  it.each(lifecycles)('%s: %j', async (kind, events, milestones, stage) => {
    const { simulator, announced, announcement, view } = shared();
    const id = simulator.create(kind);
    for (const [index, name] of events.entries()) {
      await simulator.emit(id, name);
      await expect.poll(() => announced(id, kind).length).toBe(index + 1);
    }
    expect(announced(id, kind)).toEqual(milestones);
    await expect.poll(() => view(id, kind)).toMatchObject({ stage });
    expect((await announcement(id, 'created', kind)).type).toBe(`dockline.${kind}.created`);
  });

  it('does not call the warehouse for a deletion', async () => {
    const { simulator, announced } = shared();
    const before = simulator.counts().calls;
    const id = simulator.create('receipt');
    await simulator.emit(id, 'ReceiptDelete');
    await expect.poll(() => announced(id, 'receipt')).toEqual(['1/deleted']);
    expect(simulator.counts().calls).toEqual({ webhookKey: 1, ...before });
  });

  it('runs beside those of orders, with half of all deliveries duplicated, reordered or late', async () => {
    const { simulator, announced, receiver } = await startSystem({
      simulator: { seed: 11, rates: { duplicate: 0.5, reorder: 0.5, late: 0.3 } },
    });
    await simulator.play({ orders: 2, receipts: 3, adjustments: 2, assemblies: 2 });
    const truth = simulator.truth();
    expect(new Set(truth.map(({ kind }) => kind)).size).toBe(4);
    const expected = truth.flatMap(({ events }) => events).length;
    await expect.poll(() => receiver.tally()).toEqual({ received: expected, duplicates: 0, outOfOrder: 0 });
    for (const { id, kind, events } of truth) {
      const milestones = announced(id, kind).map((text) => text.replace(/^\d+\/| late$| inferred$/g, ''));
      expect(milestones.sort()).toEqual(events.map(({ milestone }) => milestone).sort());
    }
  });
});
