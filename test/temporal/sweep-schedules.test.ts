import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';
import { keepSweepSchedules, lastSweep } from '../../src/temporal/sweep-schedules.ts';
import type { ReconcileInput } from '../../workflows/sweep-state.ts';

let installations = 0;

/** Creates schedules on the shared server with their own task queue and tenants. */
function openInstallation(queue?: string) {
  installations += 1;
  const name = `schedules-${process.pid}-${installations}`;
  const taskQueue = queue ?? name;
  const { client, close } = openTemporal({ address: inject('temporalAddress'), namespace: 'default' });
  const inputOf = (tenant: string, changes: Partial<ReconcileInput> = {}): ReconcileInput => ({
    tenant: `${name}-${tenant}`,
    kinds: ['order'],
    lookBackMs: 1,
    overlapMs: 2,
    quietMs: 3,
    pageSize: 4,
    pagesPerRun: 5,
    warehouseTaskQueue: `${name}-warehouse`,
    ...changes,
  });
  const keep = (inputs: readonly ReconcileInput[], everyMs = 3_600_000) =>
    keepSweepSchedules({ client, taskQueue, installation: name, everyMs, inputs });
  onTestFinished(async () => {
    await keep([]);
    await close();
  });
  return {
    taskQueue,
    keep,
    inputOf,
    lastSuccess: async (tenant: string) => (await lastSweep(client, inputOf(tenant).tenant))?.succeededAt,
    handle: (tenant: string) => client.schedule.getHandle(`reconcile-${name}-${tenant}`),
    /** The tenants that have a schedule. */
    async scheduled(): Promise<string[]> {
      const all = await Array.fromAsync(client.schedule.list());
      const prefix = `reconcile-${name}-`;
      return all.flatMap(({ scheduleId: id }) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : [])).sort();
    },
  };
}

describe('the schedules of sweeps', () => {
  it('run one sweep at a time, and catch up once on missed ones', async () => {
    const { keep, inputOf, handle } = openInstallation();
    await keep([inputOf('9104')], 60_000);
    const { spec, policies, action, state } = await handle('9104').describe();
    expect(spec.intervals?.map(({ every }) => every)).toEqual([60_000]);
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 60_000 });
    expect(action).toMatchObject({ workflowType: 'reconcile', args: [inputOf('9104')] });
    expect(action.workflowId).toBe(`reconcile:${inputOf('9104').tenant}`);
    expect(state.paused).toBe(false);
  });

  it('follow the configuration, and paused ones stay paused', async () => {
    const { keep, inputOf, handle } = openInstallation();
    await keep([inputOf('9104')]);
    await handle('9104').pause('the warehouse moves house');
    await keep([inputOf('9104', { pageSize: 50 })], 120_000);
    const { spec, action, state } = await handle('9104').describe();
    expect(spec.intervals?.map(({ every }) => every)).toEqual([120_000]);
    expect(action.args).toEqual([inputOf('9104', { pageSize: 50 })]);
    expect(state).toMatchObject({ paused: true, note: 'the warehouse moves house' });
  });

  it('are deleted with their tenant, and all of them when sweeps are disabled', async () => {
    const { keep, inputOf, scheduled } = openInstallation();
    const other = openInstallation();
    await other.keep([other.inputOf('9104')]);
    await keep(['9104', '9105', '9106'].map((tenant) => inputOf(tenant)));
    await expect.poll(scheduled).toEqual(['9104', '9105', '9106']);
    await keep([inputOf('9105')]);
    await expect.poll(scheduled).toEqual(['9105']);
    await keep([inputOf('9105')], 0);
    await expect.poll(scheduled).toEqual([]);
    expect(await other.scheduled()).toEqual(['9104']);
  });

  it('of another installation stay, also on the same task queue', async () => {
    const other = openInstallation();
    await other.keep([other.inputOf('9104')]);
    await expect.poll(other.scheduled).toEqual(['9104']);
    await openInstallation(other.taskQueue).keep([]);
    expect(await other.scheduled()).toEqual(['9104']);
  });

  it('count as the last success while no sweep has succeeded', async () => {
    const { keep, inputOf, lastSuccess } = openInstallation();
    expect(await lastSuccess('9104')).toBeUndefined();
    const before = Date.now();
    await keep([inputOf('9104')]);
    const scheduledAt = await lastSuccess('9104');
    expect(scheduledAt).toBeGreaterThan(before - 1000);
    await keep([inputOf('9104', { pageSize: 50 })]);
    expect(await lastSuccess('9104')).toBe(scheduledAt);
  });
});
