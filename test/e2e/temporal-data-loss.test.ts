import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { msToTs } from '@temporalio/common/lib/time.js';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import {
  createOrder,
  expectGapless,
  leaveUnobserved,
  leaveUnsent,
  newestRun,
  restore,
} from '../support/interrupted-order.ts';
import { type System, startSystem } from '../support/system.ts';
import { createFolder, startTemporalServer } from '../support/temporal-server.ts';

const SOON = { timeout: 60_000 };
const PATIENT = { timeout: 120_000 };
const env = { REDISPATCH_AFTER_MS: '500' };

/** Starts a Temporal server whose database can be copied and replaced while it is stopped. */
async function startReplaceable() {
  const opened = new AsyncDisposableStack();
  const openFolder = async () => opened.adopt(await createFolder(), ({ remove }) => remove()).path;
  const binary = inject('temporalBinary');
  const folder = await openFolder();
  let server = await startTemporalServer({ binary, folder });
  opened.defer(() => server.stop());
  const { address } = server;
  const restartOn = async (database: string) => {
    server = await startTemporalServer({ binary, folder: database, port: Number(address.split(':')[1]) });
  };
  return {
    address,
    /** Replaces the database with the one in the given folder, by default an empty one. */
    async replace(database?: string) {
      await server.stop();
      await restartOn(database ?? (await openFolder()));
    },
    /** Copies the database; returns the folder of the copy. */
    async copy() {
      const copied = await openFolder();
      await server.stop();
      await cp(folder, copied, { recursive: true });
      await restartOn(folder);
      return copied;
    },
    close: () => opened.disposeAsync(),
  };
}

/** Resolves once the workflow has no task in progress, so that a copy of the database is complete. */
async function untilQuiet(system: System, id: string): Promise<void> {
  const { handle } = await newestRun(system, id);
  await expect.poll(async () => (await handle.describe()).raw.pendingWorkflowTask ?? null, SOON).toBeNull();
}

/** Leaves three orders of the system with events to retrieve, with announcements to send, and with neither. */
async function leaveOrders(system: System) {
  const waiting = await createOrder(system);
  const unsent = await createOrder(system);
  const quiet = await createOrder(system);
  await leaveUnsent(system, unsent);
  await leaveUnobserved(system, waiting);
  return { waiting, unsent, quiet };
}

/** Expects that these orders continue without gaps. */
async function expectAllGapless(system: System, { waiting, unsent, quiet }: Awaited<ReturnType<typeof leaveOrders>>) {
  await expectGapless(system, waiting, 'created', 'fullyAllocated', 'updated');
  await expectGapless(system, unsent, 'created', 'fullyAllocated', 'updated');
  await expectGapless(system, quiet, 'created');
  expect(system.receiver.tally()).toEqual({ received: 10, duplicates: 0, outOfOrder: 0 });
}

describe('orders continue without gaps and without a command', PATIENT, () => {
  it('when the Temporal server has lost its database', async () => {
    const temporal = await startReplaceable();
    onTestFinished(temporal.close);
    const system = await startSystem({ temporalAddress: temporal.address, env });
    const orders = await leaveOrders(system);
    await temporal.replace();
    restore(system);
    await expectAllGapless(system, orders);
  });

  it('when Dockline restarts with another namespace', async () => {
    const system = await startSystem({ env });
    const namespace = `another-${randomUUID()}`;
    await registerNamespace(system, namespace);
    const orders = await leaveOrders(system);
    await system.restart({ TEMPORAL_NAMESPACE: namespace });
    restore(system);
    await expectAllGapless(system, orders);
  });
});

/** Registers a namespace and waits until it is usable. */
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

it(
  'orders continue from a backup of the Temporal server, with nothing lost and nothing repeated',
  PATIENT,
  async () => {
    const temporal = await startReplaceable();
    onTestFinished(temporal.close);
    const system = await startSystem({ temporalAddress: temporal.address, env });
    const [reported, waiting, cached] = [
      await createOrder(system),
      await createOrder(system),
      await createOrder(system),
    ];
    for (const id of [reported, waiting, cached]) await untilQuiet(system, id);
    const backup = await temporal.copy();
    for (const id of [reported, cached]) {
      await system.simulator.emit(id, 'OrderFullyAllocated');
      await expect.poll(() => system.announced(id), SOON).toEqual(['1/created', '2/fullyAllocated']);
    }
    await leaveUnobserved(system, waiting);
    await temporal.replace(backup);
    restore(system);
    await expectGapless(system, waiting, 'created', 'fullyAllocated', 'updated');
    await expectGapless(system, reported, 'created', 'fullyAllocated');

    // The worker caches a longer history of this order than the server has, until it is restarted.
    await system.simulator.emit(cached, 'OrderUpdate');
    await system.restart();
    await expectGapless(system, cached, 'created', 'fullyAllocated', 'updated');
    expect(system.receiver.tally()).toEqual({ received: 11, duplicates: 0, outOfOrder: 0 });
  },
);
