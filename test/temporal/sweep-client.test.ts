import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';
import { lastPolls } from '../../src/temporal/pollers.ts';
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

/** Returns a task queue that a worker polls. */
async function servedQueue(): Promise<string> {
  const { service } = shared();
  await service().worker.started;
  const name = `test-${served()}-warehouse-${served()}`;
  const polls = () => lastPolls(service().webhook.client, name, 'activities');
  await expect.poll(polls).not.toEqual([]);
  return name;
}

describe('a sweep on demand', () => {
  it('of a warehouse that nobody serves is not begun', async () => {
    const { run, statusOf } = open('2', `test-${served()}`);
    const waiting: string[] = [];
    await expect(run({ patienceMs: 0, onWaiting: (why) => waiting.push(why) })).rejects.toThrow(
      /^no running Dockline fetches from warehouse 2: nobody polls the task queue test-\d+-warehouse-2; is it running, with the same WAREHOUSE_TENANT\?$/,
    );
    expect(waiting[0]).toBe('no running Dockline fetches from warehouse 2');
    await expect(statusOf()).rejects.toThrow(/not found/);
  });

  it('that no worker takes up is terminated', async () => {
    const { run, statusOf } = open(`untaken-${process.pid}`, undefined, await servedQueue());
    await expect(run({ patienceMs: 1000 })).rejects.toThrow(
      'Temporal is up, but nobody takes up the work: is Dockline running?',
    );
    expect(await statusOf()).toBe('TERMINATED');
  });

  it('is the only one of its warehouse', async () => {
    const { run, stop, statusOf } = open(`twice-${process.pid}`, undefined, await servedQueue());
    const first = run({ patienceMs: 3_600_000 });
    first.catch(() => undefined);
    await expect.poll(() => statusOf().catch(() => 'none')).toBe('RUNNING');
    await expect(run()).rejects.toThrow(/^such a sweep is under way already; .+ reconcile:twice-\d+:on-demand/);
    stop.abort();
    await expect(first).rejects.toThrow('nobody takes up the work');
    expect(await statusOf()).toBe('TERMINATED');
  });

  it('reports why it makes no progress, and ends when it is canceled', async () => {
    const { simulator, tenant } = await startSweptSystem({ simulator: { faults: { down: true } } });
    const { run, stop, statusOf } = open(tenant, `test-${tenant}`);
    const activityFailures: string[] = [];
    const sweeping = run({
      patienceMs: 3_600_000,
      onProgress: (_, trouble) => trouble && activityFailures.push(trouble),
    });
    sweeping.catch(() => undefined);
    await expect.poll(() => activityFailures.at(-1)).toMatch(/^attempt \d+, since (GET \/orders|POST .+) answered 503/);
    expect(simulator.counts().calls.getOrders).toBeGreaterThan(0);
    stop.abort();
    await expect(sweeping).rejects.toThrow('the sweep was canceled');
    expect(await statusOf()).toBe('CANCELLED');
  });
});
