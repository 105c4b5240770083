import { describe, expect, it } from 'vitest';
import { lastSweep } from '../../src/temporal/sweep-schedules.ts';
import { startSweptSystem } from '../support/swept-system.ts';

const DAY_MS = 86_400_000;

describe('scheduled sweeps', () => {
  it('repair an outage, each starting where the last one began', async () => {
    const { simulator, announced, service, tenant } = await startSweptSystem({
      env: { RECONCILE_EVERY_MS: '2000' },
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
});

interface Times {
  readonly startedAt: number;
  readonly since: number;
}
