import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { createTemporalDestination } from '../../src/destinations/kinds/temporal-destination.ts';
import { openTemporal, type Temporal } from '../../src/temporal/connection.ts';
import { outgoingOf, packed } from '../destinations/announcements/announcements.ts';
import { never } from '../warehouse/open-warehouse.ts';

const { CommandType } = proto.temporal.api.enums.v1;
const namespace = 'default';

let server: Temporal;
beforeAll(() => {
  server = openTemporal({ address: inject('temporalAddress'), namespace });
  return () => server.close();
});

/** Opens the destination of an order, whose workflow can be made to continue as new. */
function openOrder() {
  const id = randomUUID();
  const taskQueue = `queue-${id}`;
  const destination = createTemporalDestination({
    url: `temporal://${inject('temporalAddress')}/${namespace}`,
    workflowType: 'fulfillment',
    taskQueue,
    workflowId: '{kind}-{tenant}-{id}',
    signal: 'dockline',
    whenClosed: 'start',
    detail: 'thin',
    timeoutMs: 60_000,
    allowedAddresses: [],
  });
  onTestFinished(() => destination.close());
  const ofRevision = (revision: number) =>
    outgoingOf({ ...packed, subject: { ...packed.subject, id }, change: { ...packed.change, revision } });
  return {
    taskQueue,
    workflowId: `order-9104-${id}`,
    send: (revision: number) => destination.send(ofRevision(revision), never),
  };
}

/** Ends the first task of a run by continuing as new, as a worker does. */
async function continueAsNew(name: string): Promise<void> {
  const { workflowService } = server.connection;
  const { taskToken } = await workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name } });
  const attributes = { workflowType: { name: 'fulfillment' }, taskQueue: { name } };
  const commandType = CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION;
  const command = { commandType, continueAsNewWorkflowExecutionCommandAttributes: attributes };
  await workflowService.respondWorkflowTaskCompleted({ taskToken, commands: [command] });
}

/** Removes a run, as the server does after its retention. */
async function remove(workflowId: string, runId: string): Promise<void> {
  const workflowExecution = { workflowId, runId };
  await server.connection.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
  const handle = server.client.workflow.getHandle(workflowId, runId);
  await expect.poll(() => handle.describe().then(String, (error) => error.name)).toBe('WorkflowNotFoundError');
}

it.each([
  ['a run that the last one continues', 0],
  ['the last run', 1],
])('a workflow that has ended runs again although %s is gone', async (_, which) => {
  const { taskQueue, workflowId, send } = openOrder();
  const current = server.client.workflow.getHandle(workflowId);
  await send(1);
  const { runId: first } = await current.describe();
  await continueAsNew(taskQueue);
  await current.terminate();
  const { runId: last } = await current.describe();
  await remove(workflowId, [first, last][which] ?? '');
  for (const revision of [2, 3]) expect(await send(revision)).toEqual({ status: 200 });
  const { events = [] } = await current.fetchHistory();
  expect(events?.filter((it) => it.workflowExecutionSignaledEventAttributes)).toHaveLength(2);
});
