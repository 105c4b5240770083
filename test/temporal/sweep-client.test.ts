import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';
import { runSweep, type SweepRun } from '../../src/temporal/sweep-client.ts';
import type { ReconcileInput } from '../../workflows/sweep-state.ts';
import { useSystem } from '../support/shared-system.ts';
import { startSweptSystem } from '../support/swept-system.ts';

const shared = useSystem({ tenants: [{}] });

const served = () => shared().tenants[0]?.tenant;

/** Creates a client of sweeps; by default no worker has a task queue of theirs. */
function open(tenant: string, taskQueue = `nobody-${tenant}`, warehouseTaskQueue = `${taskQueue}-warehouse-${tenant}`) {
  const { client, close } = openTemporal({ address: inject('temporalAddress'), namespace: 'default' });
  onTestFinished(close);
  const stop = new AbortController();
  const input: ReconcileInput = {
    tenant,
    kinds: ['order'],
    since: 0,
    lookBackMs: 0,
    overlapMs: 0,
    quietMs: 0,
    pageSize: 100,
    pagesPerRun: 500,
    warehouseTaskQueue,
  };
  const run = (more: Partial<SweepRun> = {}) =>
    runSweep({ client, taskQueue, input, onProgress: () => undefined, signal: stop.signal, ...more });
  const statusOf = async () =>
    (await client.workflow.getHandle(`reconcile:${tenant}:on-demand`).describe()).status.name;
  return { run, stop, statusOf };
}

describe('a sweep on demand', () => {
  it('of a warehouse that nobody serves is not begun', async () => {
    const { run, statusOf } = open('2', `test-${served()}`);
    await expect(run({ patienceMs: 0 })).rejects.toThrow(
      /^no running Dockline fetches from warehouse 2: nobody polls the task queue test-\d+-warehouse-2; is it running, with the same WAREHOUSE_TENANT\?$/,
    );
    await expect(statusOf()).rejects.toThrow(/not found/);
  });

  it('is the only one of its warehouse, reports why it makes no progress, and ends when it is canceled', async () => {
    const { simulator, tenant } = await startSweptSystem({ simulator: { faults: { down: true } } });
    const { run, stop, statusOf } = open(tenant, `test-${tenant}`);
    const activityFailures: string[] = [];
    const sweeping = run({ onProgress: (_, trouble) => trouble && activityFailures.push(trouble) });
    sweeping.catch(() => undefined);
    await expect.poll(() => activityFailures.at(-1)).toMatch(/^attempt \d+, since (GET \/orders|POST .+) answered 503/);
    expect(simulator.counts().calls.getOrders).toBeGreaterThan(0);
    await expect(run()).rejects.toThrow(/^one is under way already; .+ reconcile:\d+:on-demand/);
    stop.abort();
    await expect(sweeping).rejects.toThrow('it was canceled');
    expect(await statusOf()).toBe('CANCELLED');
  });
});
