import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TemporalProcess } from '../../proving/faults/fixture/temporal-process.ts';
import {
  createOrder,
  expectGapless,
  leaveUnobserved,
  leaveUnsent,
  newestRun,
  restore,
} from '../support/interrupted-order.ts';
import { openOwnTemporal, temporalKind } from '../support/own-temporal.ts';
import { type System, startSystem } from '../support/system.ts';
import { openFolder } from '../support/temporal-server.ts';

const env = { REDISPATCH_AFTER_MS: '500' };

let temporal: TemporalProcess;
beforeAll(async () => {
  temporal = await openOwnTemporal();
});
afterAll(() => temporal?.close());

/** Replaces the server's database with a copy, by default with an empty one. */
async function replaceDatabase(copy?: string): Promise<void> {
  await temporal.stop();
  await temporal.replaceDatabase(copy);
  await temporal.start();
}

/** Resolves once the workflow has no task in progress, so that a copy of the database is complete. */
async function untilQuiet(system: System, id: string): Promise<void> {
  const { handle } = await newestRun(system, id);
  await expect.poll(async () => (await handle.describe()).raw.pendingWorkflowTask ?? null).toBeNull();
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

describe('orders continue without gaps and without a command', () => {
  it('when the Temporal server has lost its database', async () => {
    const system = await startSystem({ temporalAddress: temporal.address, env });
    const orders = await leaveOrders(system);
    await replaceDatabase();
    restore(system);
    await expectAllGapless(system, orders);
  });
});

// The databases of a cluster are not copied.
it.skipIf(temporalKind === 'cluster')(
  'orders continue from a backup of the Temporal server, with nothing lost and nothing repeated',
  async () => {
    const system = await startSystem({ temporalAddress: temporal.address, env });
    const reported = await createOrder(system);
    const waiting = await createOrder(system);
    const cached = await createOrder(system);
    for (const id of [reported, waiting, cached]) await untilQuiet(system, id);
    const folder = await openFolder();
    const backup = join(folder, 'temporal.db');
    await temporal.copyDatabase(backup);
    for (const id of [reported, cached]) {
      await system.simulator.emit(id, 'OrderFullyAllocated');
      await expect.poll(() => system.announced(id)).toEqual(['1/created', '2/fullyAllocated']);
    }
    await leaveUnobserved(system, waiting);
    await replaceDatabase(backup);
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
