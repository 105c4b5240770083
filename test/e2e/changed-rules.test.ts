import { expect, it, vi } from 'vitest';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import { useReplayer } from '../support/replayer.ts';
import { type System, startSystem } from '../support/system.ts';

const version = vi.hoisted(() => ({ isNext: false }));

// The next version derives one more milestone from an order: a fully allocated one must have been completed.
vi.mock(import('../../src/domain/lifecycle/milestone.ts'), async (original) => {
  const rules = await original();
  const shownMilestones = (snapshot: Snapshot) => {
    const shown = rules.shownMilestones(snapshot);
    return version.isNext && snapshot.fullyAllocated ? shown.toSpliced(1, 0, 'completed') : shown;
  };
  return { ...rules, shownMilestones };
});

const timeout = 20_000;
const { replay } = useReplayer();

async function expectReplay({ service, workflowId }: System, id: string): Promise<void> {
  const history = await service().webhook.client.workflow.getHandle(workflowId(id)).fetchHistory();
  await replay(history, workflowId(id));
}

it('an order that is open while the rules change, and change back, is announced without gaps', async () => {
  const system = await startSystem();
  const { simulator, announced, receiver, restart } = system;
  const id = simulator.createOrder();
  await simulator.emit(id, 'OrderFullyAllocated');
  await expect.poll(() => announced(id), { timeout }).toEqual(['1/created inferred', '2/fullyAllocated']);

  version.isNext = true;
  await restart();
  await simulator.emit(id, 'OrderUpdate');
  const sinceThen = ['3/updated', '4/completed inferred'];
  await expect.poll(() => announced(id).slice(2), { timeout }).toEqual(sinceThen);
  await expectReplay(system, id);

  version.isNext = false;
  await restart();
  await simulator.emit(id, 'OrderConfirm');
  await expect.poll(() => announced(id).slice(2), { timeout }).toEqual([...sinceThen, '5/confirmed']);
  await expectReplay(system, id);
  expect(receiver.tally()).toEqual({ received: 5, duplicates: 0, outOfOrder: 0 });
});

it('an order whose run is lost while the rules change is announced without gaps', async () => {
  version.isNext = false;
  const system = await startSystem({ env: { REDISPATCH_AFTER_MS: '500' } });
  const { simulator, announced, receiver, service, workflowId } = system;
  const id = simulator.createOrder();
  await simulator.emit(id, 'OrderCreate');
  await expect.poll(() => announced(id), { timeout }).toEqual(['1/created']);
  simulator.setFaults({ forbidden: ['getOrder'] });
  await simulator.emit(id, 'OrderFullyAllocated');
  await expect.poll(() => simulator.counts().calls.getOrder, { timeout }).toBeGreaterThan(1);

  version.isNext = true;
  await service().webhook.client.workflow.getHandle(workflowId(id)).terminate();
  simulator.setFaults({ forbidden: [] });
  const expected = ['1/created', '2/completed inferred', '3/fullyAllocated'];
  await expect.poll(() => announced(id), { timeout: 40_000 }).toEqual(expected);
  expect(receiver.tally()).toEqual({ received: 3, duplicates: 0, outOfOrder: 0 });
});
