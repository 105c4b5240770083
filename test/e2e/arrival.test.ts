import { expect, it } from 'vitest';
import { startSystem } from '../support/system.ts';

it('events that arrive after the workflow has completed start a new run, which continues with the next revision', async () => {
  const { simulator, announced, service, workflowId } = await startSystem({ env: { GRACE_PERIOD_MS: '300' } });
  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  const late = await simulator.emit(orderId, 'OrderPickJobUserAssigned', { deliver: false });
  await simulator.emit(orderId, 'OrderConfirm');
  const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
  await expect.poll(async () => (await workflow.describe()).status.name).toBe('COMPLETED');
  const first = (await workflow.describe()).runId;
  expect(announced(orderId)).toEqual(['1/created', '2/confirmed']);

  await simulator.deliver(late);
  await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/confirmed', '3/pickerAssigned late']);
  expect((await workflow.describe()).runId).not.toBe(first);
  await expect.poll(async () => (await workflow.describe()).status.name).toBe('COMPLETED');
});
