import { describe, expect, it } from 'vitest';
import { orderLifecycle } from '../support/order-lifecycle.ts';
import { startSystem } from '../support/system.ts';

describe('the history of six events', () => {
  it('stays short when they arrive one by one, and shorter when they arrive together', async () => {
    const { simulator, announced, service, workflowId } = await startSystem({
      env: { TEMPORAL_ACTIVITIES: 'inline' },
    });
    const lengthOf = async (id: string) => {
      const { historyLength, historySize = 0 } = await service()
        .webhook.client.workflow.getHandle(workflowId(id))
        .describe();
      return { historyLength, historySize };
    };
    const single = simulator.createOrder();
    for (const [index, name] of orderLifecycle.entries()) {
      await simulator.emit(single, name);
      await expect.poll(() => announced(single).length).toBe(index + 1);
    }
    const slow = await lengthOf(single);
    expect(slow.historyLength).toBeLessThanOrEqual(90);
    expect(slow.historySize).toBeLessThanOrEqual(24_576);

    const burst = simulator.createOrder();
    const events = [];
    for (const name of orderLifecycle) events.push(await simulator.emit(burst, name, { deliver: false }));
    await Promise.all(events.map((event) => simulator.deliver(event)));
    await expect.poll(() => announced(burst).length).toBe(6);
    expect((await lengthOf(burst)).historyLength).toBeLessThanOrEqual(25);
  });
});
