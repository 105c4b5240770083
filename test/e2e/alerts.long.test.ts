import { expect, it } from 'vitest';
import { webhookTo } from '../alerts/open-watch.ts';
import { openReceiver } from '../alerts/receiver.ts';
import { writeTemporary } from '../config/temporary-text.ts';
import { startSystem } from '../support/system.ts';

it('somebody is told that a destination was stopped, by the service itself', async () => {
  const { url, received } = await openReceiver();
  const file = writeTemporary(
    `alerts:\n  holdSeconds: 0\n  channels:\n${webhookTo('ops', url, 'conditions: [destination-stopped]')}\n`,
  );
  const { simulator, receiver, announced, restart } = await startSystem({ env: { CONFIG_FILE: file } });
  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  await expect.poll(() => announced(orderId)).toEqual(['1/created']);
  receiver.setAnswer(410);
  await simulator.emit(orderId, 'OrderFullyAllocated');
  await expect.poll(() => received.length).toBe(1);
  expect(received[0]?.body.alerts).toMatchObject([{ condition: 'destination-stopped', change: 'opened' }]);
  await restart();
  expect(received.length).toBe(1);
});
