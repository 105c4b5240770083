import { afterEach, expect, it } from 'vitest';
import { milestones } from '../../src/domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import { useReplayer } from '../support/replayer.ts';
import { type System, startSystem } from '../support/system.ts';

const { isShown } = milestones.completed;

const change = (rule: (snapshot: Snapshot) => boolean | undefined) =>
  void Object.assign(milestones.completed, { isShown: rule });

/** Changes the rules to those of the next version: a fully allocated order must have been completed. */
const changeRules = () => change((snapshot) => snapshot.fullyAllocated || isShown(snapshot));

const changeRulesBack = () => change(isShown);

afterEach(changeRulesBack);

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
  await expect.poll(() => announced(id)).toEqual(['1/created inferred', '2/fullyAllocated']);

  changeRules();
  await restart();
  await simulator.emit(id, 'OrderUpdate');
  const sinceThen = ['3/updated', '4/completed inferred'];
  await expect.poll(() => announced(id).slice(2)).toEqual(sinceThen);
  await expectReplay(system, id);

  changeRulesBack();
  await restart();
  await simulator.emit(id, 'OrderConfirm');
  await expect.poll(() => announced(id).slice(2)).toEqual([...sinceThen, '5/confirmed']);
  await expectReplay(system, id);
  expect(receiver.tally()).toEqual({ received: 5, duplicates: 0, outOfOrder: 0 });
});
