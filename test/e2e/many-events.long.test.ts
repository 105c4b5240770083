import { describe, expect, it } from 'vitest';
import { useReplayer } from '../support/replayer.ts';
import { deliver, startSlow, untilRetrieving } from '../support/slow-order.ts';
import type { System } from '../support/system.ts';

const replayer = useReplayer();

async function expectReplay({ service, workflowId }: System, id: string): Promise<void> {
  const history = await service().webhook.client.workflow.getHandle(workflowId(id)).fetchHistory();
  await replayer.replay(history, workflowId(id));
}

describe('an order while its GET is slow', () => {
  it('continues and replays after 140 signals during one GET and a restart of Dockline', async () => {
    const { system, id } = await startSlow(1);
    const { simulator, service, workflowId, announced, restart, receiver } = system;
    const expected = ['1/created', '2/fullyAllocated', '3/updated', '4/updated', '5/updated'];
    await untilRetrieving(system, () => simulator.emit(id, 'OrderFullyAllocated'));
    const workflow = service().webhook.client.workflow.getHandle(workflowId(id));
    const signals = Array.from({ length: 140 }, () => workflow.signal('events', []));
    await Promise.all([...signals, deliver(system, id, 2)]);
    await expect.poll(() => announced(id)).toEqual(expected.slice(0, 4));
    await restart();
    await simulator.emit(id, 'OrderUpdate');
    await expect.poll(() => announced(id)).toEqual(expected);
    expect(receiver.tally()).toEqual({ received: 5, duplicates: 0, outOfOrder: 0 });
    await expectReplay(system, id);
  });
});
