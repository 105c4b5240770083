import { describe, expect, it } from 'vitest';
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

    const { samples } = await scrape(service().metrics?.url ?? '');
    const endedAt = valueIn(samples, 'dockline_sweep_last_success_timestamp_seconds', { tenant });
    expect(endedAt).toBeGreaterThan(third.startedAt / 1000);
    expect(endedAt).toBeLessThan(Date.now() / 1000 + 1);
  });
});

interface Times {
  readonly startedAt: number;
  readonly since: number;
}
