import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createOrder, expectGapless, leaveUnobserved, newestRun, restore } from '../support/interrupted-order.ts';
import { useSystem } from '../support/shared-system.ts';
import type { System } from '../support/system.ts';

const namespace = 'default';

const shared = useSystem({ env: { REDISPATCH_AFTER_MS: '500' } });

/** Creates an announced order in the shared system. */
async function startWithOrder() {
  const system = shared();
  return { system, id: await createOrder(system) };
}

async function terminate(system: System, id: string): Promise<void> {
  await (await newestRun(system, id)).handle.terminate('by hand');
}

async function deleteWorkflow(system: System, id: string): Promise<void> {
  const { handle, workflowService, workflowExecution } = await newestRun(system, id);
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
  const described = () => handle.describe().catch(({ name }: Error) => name);
  await expect.poll(described).toBe('WorkflowNotFoundError');
}

/** Resets the workflow to its first completed workflow task. */
async function reset(system: System, id: string): Promise<void> {
  const { handle, workflowService, workflowExecution } = await newestRun(system, id);
  const { events } = await handle.fetchHistory();
  const task = events?.find((event) => event.workflowTaskCompletedEventAttributes);
  const workflowTaskFinishEventId = task?.eventId;
  await workflowService.resetWorkflowExecution({
    namespace,
    workflowExecution,
    requestId: randomUUID(),
    reason: 'by hand',
    ...(workflowTaskFinishEventId && { workflowTaskFinishEventId }),
  });
}

const interventions = [
  ['terminated', terminate],
  ['deleted', deleteWorkflow],
  ['reset to its first task', reset],
] as const;

describe.each(interventions)('an order whose workflow is %s', (_, intervene) => {
  it('announces the events that were waiting for a GET', async () => {
    const { system, id } = await startWithOrder();
    await leaveUnobserved(system, id);
    await intervene(system, id);
    restore(system);
    await expectGapless(system, id, 'created', 'fullyAllocated', 'updated');
    expect(system.receiver.tally()).toEqual({ received: 4, duplicates: 0, outOfOrder: 0 });
  });
});
