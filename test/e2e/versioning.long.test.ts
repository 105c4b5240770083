import { expect, inject, it, onTestFinished } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';
import { DEPLOYMENT_NAME } from '../../src/temporal/workers.ts';
import { createNamespace } from '../support/namespace.ts';
import { startSystem } from '../support/system.ts';

it('an open order waits for its version and moves to the one that becomes current', async () => {
  const namespace = await createNamespace();
  const { connection, close } = openTemporal({ address: inject('temporalAddress'), namespace });
  onTestFinished(close);
  const makeCurrent = (buildId: string) =>
    connection.workflowService
      .setWorkerDeploymentCurrentVersion({ namespace, deploymentName: DEPLOYMENT_NAME, buildId })
      .then(
        () => 'current',
        (error: unknown) => String(error),
      );
  const { simulator, announced, service, restart, workflowId } = await startSystem({
    env: { TEMPORAL_NAMESPACE: namespace, TEMPORAL_BUILD_ID: 'one' },
  });
  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  expect(announced(orderId)).toEqual([]);
  await expect.poll(() => makeCurrent('one'), { interval: 500 }).toBe('current');
  await expect.poll(() => announced(orderId)).toEqual(['1/created']);

  await restart({ TEMPORAL_NAMESPACE: namespace, TEMPORAL_BUILD_ID: 'two' });
  await simulator.emit(orderId, 'OrderConfirm');
  const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
  const signals = async () =>
    (await workflow.fetchHistory()).events?.filter((event) => event.workflowExecutionSignaledEventAttributes).length;
  await expect.poll(signals).toBeGreaterThan(1);
  expect(announced(orderId)).toEqual(['1/created']);
  await expect.poll(() => makeCurrent('two'), { interval: 500 }).toBe('current');
  await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/confirmed']);
  const buildId = async () =>
    (await workflow.describe()).raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  await expect.poll(buildId).toBe('two');
});
