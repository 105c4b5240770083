import { randomUUID } from 'node:crypto';
import { expect, inject, it, onTestFinished } from 'vitest';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { createSubjectClient } from '../../src/temporal/subject-client.ts';
import { orderOf } from '../support/make.ts';

const namespace = 'default';

/** Starts the workflow of an order, whose task nobody takes but the test; one that is not answered times out soon. */
async function openOrder() {
  const { client, connection, close } = openTemporal({ address: inject('temporalAddress'), namespace });
  onTestFinished(close);
  const subject = orderOf(randomUUID());
  const taskQueue = `queue-${subject.id}`;
  await client.workflow.start('order', { workflowId: subjectKey(subject), taskQueue, workflowTaskTimeout: '1 second' });
  const handle = client.workflow.getHandle(subjectKey(subject));
  const attempts = async () => (await handle.describe()).raw.pendingWorkflowTask?.attempt ?? 0;
  const take = async () =>
    await connection.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } });
  const subjects = createSubjectClient({ client, taskQueue, settingsOf: () => ({}) as never });
  return { subject, subjects, handle, attempts, take, workflowService: connection.workflowService };
}

it('a workflow whose task fails again and again is wedged, and its end names the failure', async () => {
  const { subject, subjects, handle, attempts, take, workflowService } = await openOrder();
  while ((await attempts()) < 3) {
    const { taskToken } = await take();
    await workflowService.respondWorkflowTaskFailed({
      taskToken,
      namespace,
      failure: { message: 'it does not replay' },
    });
  }
  expect(await subjects.stateOf(subject)).toBe('wedged');
  await subjects.end(subject);
  expect(await subjects.stateOf(subject)).toBe('gone');
  expect(await subjects.stateOf(orderOf('unknown'))).toBe('gone');
  const { events = [] } = await handle.fetchHistory();
  expect(events?.at(-1)?.workflowExecutionTerminatedEventAttributes?.reason).toBe(
    'its task failed again and again: it does not replay',
  );
});

it('a workflow whose task only times out is busy: its worker is slow', async () => {
  const { subject, subjects, handle, attempts, take } = await openOrder();
  while ((await attempts()) < 3) await take();
  expect(await subjects.stateOf(subject)).toBe('busy');
  await handle.terminate();
});
