import { expect, it } from 'vitest';
import { useReplayer } from '../support/replayer.ts';
import { deliver, expectUpdates, startSlow, untilRetrieving } from '../support/slow-order.ts';

const replayer = useReplayer();

it('an order that is evicted from the cache while its GET is slow announces each of 120 events once, also after a restart', async () => {
  // The minimum of the worker, so that the other orders evict this one.
  const { system, id, others } = await startSlow(4, { env: { TEMPORAL_CACHED_WORKFLOWS: '2' } });
  await deliver(system, id, 60, others);
  await untilRetrieving(system, () => system.simulator.emit(id, 'OrderUpdate'));
  await system.restart();
  await deliver(system, id, 59, others);
  await expectUpdates(system, id, 120);
  for (const other of others) await expectUpdates(system, other, 4);
  expect(system.receiver.tally()).toEqual({ received: 136, duplicates: 0, outOfOrder: 0 });
  const { client } = system.service().webhook;
  for (const each of [id, ...others]) {
    const workflowId = system.workflowId(each);
    await replayer.replay(await client.workflow.getHandle(workflowId).fetchHistory(), workflowId);
  }
});
