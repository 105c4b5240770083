import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { msToTs } from '@temporalio/common/lib/time.js';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type System, startSystem } from '../support/system.ts';
import { createFolder, startTemporalServer } from '../support/temporal-server.ts';

const SOON = { timeout: 60_000 };
const PATIENT = { timeout: 120_000 };
const namespace = 'default';
const env = { REDISPATCH_AFTER_MS: '500' };

/** Starts a system whose order is announced as created. */
async function startWithOrder(options: Parameters<typeof startSystem>[0] = {}) {
  const system = await startSystem({ env, ...options });
  return { system, id: await createOrder(system) };
}

async function createOrder({ simulator, announced }: System): Promise<string> {
  const id = simulator.createOrder();
  await simulator.emit(id, 'OrderCreate');
  await expect.poll(() => announced(id), SOON).toEqual(['1/created']);
  return id;
}

/** Leaves two events of an order with a workflow whose GET fails again and again, so that they were surely dispatched. */
async function leaveUnobserved({ simulator }: System, id: string): Promise<void> {
  const calls = () => simulator.counts().calls.getOrder ?? 0;
  const before = calls();
  simulator.setFaults({ down: true });
  await simulator.emit(id, 'OrderFullyAllocated');
  await simulator.emit(id, 'OrderUpdate');
  await expect.poll(calls, SOON).toBeGreaterThan(before + 2);
}

/** Leaves two announcements of an order recorded, but not sent. */
async function leaveUnsent({ simulator, receiver, view }: System, id: string): Promise<void> {
  receiver.setAnswer(503);
  await simulator.emit(id, 'OrderFullyAllocated');
  await simulator.emit(id, 'OrderUpdate');
  await expect.poll(async () => (await view(id)).lifecycle.revision, SOON).toBe(3);
}

function restore({ simulator, receiver }: System): void {
  simulator.setFaults({ down: false });
  receiver.setAnswer(204);
}

/** Expects that exactly these are announced of the order, without another event, and then the next event as usual. */
async function expectGapless(system: System, id: string, ...milestones: readonly string[]): Promise<void> {
  const expected = [...milestones, 'updated'].map((milestone, index) => `${index + 1}/${milestone}`);
  await expect.poll(() => system.announced(id), SOON).toEqual(expected.slice(0, -1));
  await system.simulator.emit(id, 'OrderUpdate');
  await expect.poll(() => system.announced(id), SOON).toEqual(expected);
}

async function openExecution({ service, workflowId }: System, id: string) {
  const { workflow, workflowService } = service().webhook.client;
  const { runId } = await workflow.getHandle(workflowId(id)).describe();
  const handle = workflow.getHandle(workflowId(id), runId);
  return { handle, workflowService, workflowExecution: { workflowId: workflowId(id), runId } };
}

async function terminate(system: System, id: string): Promise<void> {
  await (await openExecution(system, id)).handle.terminate('by hand');
}

async function cancel(system: System, id: string): Promise<void> {
  await (await openExecution(system, id)).handle.cancel();
}

async function deleteWorkflow(system: System, id: string): Promise<void> {
  const { handle, workflowService, workflowExecution } = await openExecution(system, id);
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
  const described = () => handle.describe().catch(({ name }: Error) => name);
  await expect.poll(described, SOON).toBe('WorkflowNotFoundError');
}

/** Resets to the completed workflow task at that index, as in `Array.at`. */
const resetTo = (index: number) => async (system: System, id: string) => {
  const { handle, workflowService, workflowExecution } = await openExecution(system, id);
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
  it('goes on with the next event if nothing waited', async () => {
    const { system, id } = await startWithOrder();
    await system.simulator.emit(id, 'OrderFullyAllocated');
    await expect.poll(() => system.announced(id), SOON).toEqual(['1/created', '2/fullyAllocated']);
    await intervene(system, id);
    await expectGapless(system, id, 'created', 'fullyAllocated');
    expect(system.receiver.tally()).toEqual({ received: 3, duplicates: 0, outOfOrder: 0 });
  });

  it('announces the events that waited for a GET', async () => {
    const { system, id } = await startWithOrder();
    await leaveUnobserved(system, id);
    await intervene(system, id);
    restore(system);
    await expectGapless(system, id, 'created', 'fullyAllocated', 'updated');
    expect(system.receiver.tally()).toEqual({ received: 4, duplicates: 0, outOfOrder: 0 });
  });

  it('sends the announcements that waited for their destination', async () => {
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
  ['a name that nobody knows', 'shipped', { id: '1' }],
];

describe('an order that is signaled', PATIENT, () => {
  it.each(unexpectedSignals)('%s goes on and answers', async (_title, signal, argument) => {
    const { system, id } = await startWithOrder();
    const { handle } = await openExecution(system, id);
    await handle.signal(signal, argument);
    await expectGapless(system, id, 'created');
    const expected = { stage: 'created', attention: [], lifecycle: { revision: 2 } };
    expect(await system.view(id)).toMatchObject(expected);
    expect(await handle.query('timeline')).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(await handle.executeUpdate('refresh')).toMatchObject(expected);
    expect(system.receiver.tally()).toEqual({ received: 2, duplicates: 0, outOfOrder: 0 });
  });
});

describe('an order that is asked to update', PATIENT, () => {
  it.each(['refresh', 'release', 'polish'])('"%s" with unexpected arguments goes on and answers', async (name) => {
    const { system, id } = await startWithOrder();
    const { handle } = await openExecution(system, id);
    for (const args of [['nothing'], [null], [7, {}, []]] as [unknown, ...unknown[]][]) {
      // It may be refused, but not left without an answer.
      await handle.executeUpdate(name, { args }).catch(() => undefined);
    }
    await expectGapless(system, id, 'created');
    expect(await handle.executeUpdate('refresh')).toMatchObject({ stage: 'created', lifecycle: { revision: 2 } });
    expect(system.receiver.tally()).toEqual({ received: 2, duplicates: 0, outOfOrder: 0 });
  });
});

/** A Temporal server of the test's own, whose database can be copied and replaced while it is stopped. */
async function startReplaceable() {
  const binary = inject('temporalBinary');
  const folder = await openFolder();
  let server = await startTemporalServer({ binary, folder });
  onTestFinished(() => server.stop());
  const { address } = server;
  const startOn = async (database: string) => {
    server = await startTemporalServer({ binary, folder: database, port: Number(address.split(':')[1]) });
  };
  return {
    address,
    /** Replaces the database with that of another folder, or a new one. */
    async replace(database?: string) {
      await server.stop();
      await startOn(database ?? (await openFolder()));
    },
    /** The folder of a copy. */
    async copy() {
      const copied = await openFolder();
      await server.stop();
      await cp(folder, copied, { recursive: true });
      await startOn(folder);
      return copied;
    },
  };
}

/** Resolves once no task of the workflow is under way: a copy of the database has all that happened so far. */
async function untilQuiet(system: System, id: string): Promise<void> {
  const { handle } = await openExecution(system, id);
  await expect.poll(async () => (await handle.describe()).raw.pendingWorkflowTask ?? null, SOON).toBeNull();
}

async function openFolder(): Promise<string> {
  const { path, remove } = await createFolder();
  onTestFinished(remove);
  return path;
}

describe('orders whose Temporal server', PATIENT, () => {
  it('has lost its database are announced without gaps and without a command', async () => {
    const temporal = await startReplaceable();
    const { system, id: waiting } = await startWithOrder({ temporalAddress: temporal.address });
    const [unsent, quiet] = [await createOrder(system), await createOrder(system)];
    await leaveUnsent(system, unsent);
    await leaveUnobserved(system, waiting);
    await temporal.replace();
    restore(system);
    await expectGapless(system, waiting, 'created', 'fullyAllocated', 'updated');
    await expectGapless(system, unsent, 'created', 'fullyAllocated', 'updated');
    await expectGapless(system, quiet, 'created');
    expect(system.receiver.tally()).toEqual({ received: 10, duplicates: 0, outOfOrder: 0 });
  });

  it('goes on from an old copy of its database are not told again what was announced since', async () => {
    const temporal = await startReplaceable();
    const { system, id } = await startWithOrder({ temporalAddress: temporal.address });
    await untilQuiet(system, id);
    const copy = await temporal.copy();
    await system.simulator.emit(id, 'OrderFullyAllocated');
    await expect.poll(() => system.announced(id), SOON).toEqual(['1/created', '2/fullyAllocated']);
    await temporal.replace(copy);
    await expectGapless(system, id, 'created', 'fullyAllocated');
    expect(system.receiver.tally()).toEqual({ received: 3, duplicates: 0, outOfOrder: 0 });
  });

  it('goes on from an old copy of its database go on after a restart', async () => {
    const temporal = await startReplaceable();
    const { system, id } = await startWithOrder({ temporalAddress: temporal.address });
    await untilQuiet(system, id);
    const copy = await temporal.copy();
    await system.simulator.emit(id, 'OrderFullyAllocated');
    await expect.poll(() => system.announced(id), SOON).toEqual(['1/created', '2/fullyAllocated']);
    await temporal.replace(copy);
    // The worker remembers a longer history than the server has, until it is restarted.
    await system.simulator.emit(id, 'OrderUpdate');
    await system.restart();
    await expectGapless(system, id, 'created', 'fullyAllocated', 'updated');
    expect(system.receiver.tally()).toEqual({ received: 4, duplicates: 0, outOfOrder: 0 });
  });

  it('goes on from an old copy of its database lose nothing that waited since', async () => {
    const temporal = await startReplaceable();
    const { system, id } = await startWithOrder({ temporalAddress: temporal.address });
    await untilQuiet(system, id);
    const copy = await temporal.copy();
    await leaveUnobserved(system, id);
    await temporal.replace(copy);
    restore(system);
    await expectGapless(system, id, 'created', 'fullyAllocated', 'updated');
    expect(system.receiver.tally()).toEqual({ received: 4, duplicates: 0, outOfOrder: 0 });
  });

  it('has another namespace for them after a restart are announced without gaps', async () => {
    const temporal = await startReplaceable();
    const { system, id: waiting } = await startWithOrder({ temporalAddress: temporal.address });
    await registerNamespace(system, 'another');
    const [unsent, quiet] = [await createOrder(system), await createOrder(system)];
    await leaveUnsent(system, unsent);
    await leaveUnobserved(system, waiting);
    await system.restart({ TEMPORAL_NAMESPACE: 'another' });
    restore(system);
    await expectGapless(system, waiting, 'created', 'fullyAllocated', 'updated');
    await expectGapless(system, unsent, 'created', 'fullyAllocated', 'updated');
    await expectGapless(system, quiet, 'created');
    expect(system.receiver.tally()).toEqual({ received: 10, duplicates: 0, outOfOrder: 0 });
  });
});

/** Registers a namespace and waits until it can be used. */
async function registerNamespace({ service }: System, name: string): Promise<void> {
  const { workflowService } = service().webhook.client;
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await workflowService.registerNamespace({ namespace: name, workflowExecutionRetentionPeriod });
  const isUsable = () =>
    workflowService.countWorkflowExecutions({ namespace: name }).then(
      () => true,
      () => false,
    );
  await expect.poll(isUsable, SOON).toBe(true);
}
