import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createOrder,
  expectGapless,
  leaveUnobserved,
  leaveUnsent,
  newestRun,
  restore,
} from '../support/interrupted-order.ts';
import { useSystem } from '../support/shared-system.ts';
import type { System } from '../support/system.ts';

const SOON = { timeout: 60_000 };
const PATIENT = { timeout: 120_000 };
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

async function cancel(system: System, id: string): Promise<void> {
  await (await newestRun(system, id)).handle.cancel();
}

async function deleteWorkflow(system: System, id: string): Promise<void> {
  const { handle, workflowService, workflowExecution } = await newestRun(system, id);
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
  const described = () => handle.describe().catch(({ name }: Error) => name);
  await expect.poll(described, SOON).toBe('WorkflowNotFoundError');
}

/** Resets the workflow to the completed workflow task at that index of `Array.at`. */
const resetTo = (index: number) => async (system: System, id: string) => {
  const { handle, workflowService, workflowExecution } = await newestRun(system, id);
  const { events } = await handle.fetchHistory();
  const tasks = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
  const workflowTaskFinishEventId = tasks.at(index)?.eventId;
  await workflowService.resetWorkflowExecution({
    ...{ namespace, workflowExecution, requestId: randomUUID(), reason: 'by hand' },
    ...(workflowTaskFinishEventId && { workflowTaskFinishEventId }),
  });
};

const interventions = [
  ['terminated', terminate],
  ['canceled', cancel],
  ['deleted', deleteWorkflow],
  ['reset to its first task', resetTo(0)],
  ['reset to its last task', resetTo(-1)],
] as const;

describe.each(interventions)('an order whose workflow is %s', PATIENT, (_, intervene) => {
  it('continues with the next event if nothing was waiting', async () => {
    const { system, id } = await startWithOrder();
    await system.simulator.emit(id, 'OrderFullyAllocated');
    await expect.poll(() => system.announced(id), SOON).toEqual(['1/created', '2/fullyAllocated']);
    await intervene(system, id);
    await expectGapless(system, id, 'created', 'fullyAllocated');
    expect(system.receiver.tally()).toEqual({ received: 3, duplicates: 0, outOfOrder: 0 });
  });

  it('announces the events that were waiting for a GET', async () => {
    const { system, id } = await startWithOrder();
    await leaveUnobserved(system, id);
    await intervene(system, id);
    restore(system);
    await expectGapless(system, id, 'created', 'fullyAllocated', 'updated');
    expect(system.receiver.tally()).toEqual({ received: 4, duplicates: 0, outOfOrder: 0 });
  });

  it('sends the announcements that were waiting for their destination', async () => {
    const { system, id } = await startWithOrder();
    await leaveUnsent(system, id);
    await intervene(system, id);
    restore(system);
    await expectGapless(system, id, 'created', 'fullyAllocated', 'updated');
    expect(system.receiver.tally()).toEqual({ received: 4, duplicates: 0, outOfOrder: 0 });
  });
});

const unexpectedSignals: readonly (readonly [title: string, signal: string, argument: unknown])[] = [
  ['events with a string', 'events', 'nothing'],
  ['events with null', 'events', null],
  ['events with a number', 'events', 7],
  ['events with an object', 'events', { id: '1' }],
  ['events with an array of anything', 'events', [null, 7, {}, []]],
  ['events with ten thousand ids', 'events', Array.from({ length: 10_000 }, (_, index) => `0:${index}`)],
  ['resend with a string', 'resend', 'nothing'],
  ['resend with null', 'resend', null],
  ['resend with an object', 'resend', { id: '1' }],
  ['resend with an array of anything', 'resend', [null, 7, {}, []]],
  ['an unknown name', 'shipped', { id: '1' }],
];

describe('a workflow that is signaled', PATIENT, () => {
  it.each(unexpectedSignals)('%s continues and answers', async (_title, signal, argument) => {
    const { system, id } = await startWithOrder();
    const { handle } = await newestRun(system, id);
    await handle.signal(signal, argument);
    await expectGapless(system, id, 'created');
    const expected = { stage: 'created', attention: [], lifecycle: { revision: 2 } };
    expect(await system.view(id)).toMatchObject(expected);
    expect(await handle.query('timeline')).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(await handle.executeUpdate('refresh')).toMatchObject(expected);
    expect(system.receiver.tally()).toEqual({ received: 2, duplicates: 0, outOfOrder: 0 });
  });
});

describe('a workflow that gets an update', PATIENT, () => {
  it.each(['refresh', 'release', 'polish'])('"%s" with unexpected arguments continues and answers', async (name) => {
    const { system, id } = await startWithOrder();
    const { handle } = await newestRun(system, id);
    for (const args of [['nothing'], [null], [7, {}, []]] as [unknown, ...unknown[]][]) {
      // It may be rejected, but not left unanswered.
      await handle.executeUpdate(name, { args }).catch(() => undefined);
    }
    await expectGapless(system, id, 'created');
    expect(await handle.executeUpdate('refresh')).toMatchObject({ stage: 'created', lifecycle: { revision: 2 } });
    expect(system.receiver.tally()).toEqual({ received: 2, duplicates: 0, outOfOrder: 0 });
  });
});
