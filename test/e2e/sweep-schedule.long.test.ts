import type { WorkflowFailedError, WorkflowHandle } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import type { PageInput } from '../../activities/sweep.ts';
import { lastSweep } from '../../src/temporal/sweep-schedules.ts';
import { scrape, valueIn } from '../observability/metrics/exposition.ts';
import { startSweptSystem } from '../support/swept-system.ts';

const DAY_MS = 86_400_000;

describe('scheduled sweeps', () => {
  it('repair an outage, each starting where the last one began', async () => {
    const { simulator, announced, service, tenant } = await startSweptSystem({
      env: { RECONCILE_EVERY_MS: '2000', METRICS_PORT: '0' },
    });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate', { deliver: false });
    await expect.poll(() => announced(orderId)).toEqual(['1/created inferred']);
    await simulator.emit(orderId, 'OrderCancel', { deliver: false });
    await expect.poll(() => announced(orderId)).toEqual(['1/created inferred', '2/canceled inferred']);

    const { workflow } = service().webhook.client;
    const query = `WorkflowType = 'reconcile' AND WorkflowId STARTS_WITH 'reconcile:${tenant}-' AND ExecutionStatus = 'Completed'`;
    const finished = () => Array.fromAsync(workflow.list({ query }));
    await expect.poll(async () => (await finished()).length).toBeGreaterThan(2);
    const sweeps = await Promise.all(
      (await finished()).map(({ workflowId }) => workflow.getHandle(workflowId).result() as Promise<Times>),
    );
    const [first, second, third] = sweeps.sort((a, b) => a.startedAt - b.startedAt) as [Times, Times, Times];
    expect(first.since).toBe(first.startedAt - 7 * DAY_MS);
    expect([second.since, third.since]).toEqual([first.startedAt, second.startedAt]);

    // What is read of Temporal is shown from the next scrape on.
    const endedAt = async () =>
      valueIn((await scrape(service().metrics?.url ?? '')).samples, 'dockline_sweep_last_success_timestamp_seconds', {
        tenant,
      }) ?? 0;
    await expect.poll(endedAt).toBeGreaterThan(third.startedAt / 1000);
    expect(await endedAt()).toBeLessThan(Date.now() / 1000 + 1);

    // From now on the test says when.
    const schedule = service().webhook.client.schedule.getHandle(`reconcile-${tenant}`);
    await schedule.pause();
    await expect.poll(async () => (await schedule.describe()).info.runningActions).toEqual([]);
    const differences = async () => (await lastSweep(service().webhook.client, tenant))?.differences;
    const missed = simulator.createOrder();
    await simulator.emit(missed, 'OrderCreate', { deliver: false });
    await schedule.trigger();
    await expect.poll(differences).toBe(1);
    await expect.poll(() => announced(missed)).toEqual(['1/created inferred']);
    await schedule.trigger();
    await expect.poll(differences).toBe(0);
  });

  it('move the window of each kind by itself: one that is refused for ever keeps its own, and the others go on', async () => {
    const { service, tenant } = await startSweptSystem({
      env: { RECONCILE_EVERY_MS: '2000' },
      simulator: { faults: { statuses: { getReceivers: 404 } } },
    });
    const { workflow } = service().webhook.client;
    const query = `WorkflowType = 'reconcile' AND WorkflowId STARTS_WITH 'reconcile:${tenant}-' AND ExecutionStatus = 'Failed'`;
    const failed = () => Array.fromAsync(workflow.list({ query }));
    await expect.poll(async () => (await failed()).length).toBeGreaterThan(2);
    const sweeps = (await failed()).toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime()).slice(0, 3);
    const outcomes = await Promise.all(sweeps.map(({ workflowId }) => outcomeOf(workflow.getHandle(workflowId))));
    const [first, second] = outcomes.map(({ startedAt }) => startedAt);
    const receipt = (first ?? 0) - 7 * DAY_MS;
    expect(outcomes.map(({ windows }) => windows)).toEqual([
      { order: receipt, receipt },
      { order: first, receipt },
      { order: second, receipt },
    ]);
  });
});

/** Returns the start of a failed sweep, and that of the range of each kind's changes. */
async function outcomeOf(handle: WorkflowHandle) {
  const error = await handle.result().catch((cause: unknown) => cause);
  const { details } = (error as WorkflowFailedError).cause as ApplicationFailure;
  const [{ startedAt }] = details as unknown as readonly [Times];
  const { events } = await handle.fetchHistory();
  const inputs = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === 'sweepChanged' ? (scheduled.input?.payloads ?? []) : [],
  );
  const queries = inputs.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()) as PageInput);
  // The default overlap is a day.
  const windows = queries.map(({ kind, since }) => [kind, (since ?? 0) + DAY_MS]);
  return { startedAt, windows: Object.fromEntries(windows) };
}

interface Times {
  readonly startedAt: number;
  readonly since: number;
}
