import { randomUUID } from 'node:crypto';
import { type Client, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { openTemporal } from '../../src/temporal/connection.ts';
import { TASK_QUEUE } from '../../src/temporal/task-queues.ts';
import type { FaultContext } from './fault.ts';
import { garbage, signalNames } from './garbage.ts';
import type { Meddle } from './meddling.ts';

/** A run of a workflow. */
interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/** Something that is done to one workflow; its index counts those of the round. */
type Deed = (client: Client, run: Run, index: number, context: FaultContext) => Promise<unknown>;

const NAMESPACE = 'default';

/** How many signals each workflow gets. */
const SIGNALS_EACH = 5;

/** Does something to each of about half of the running workflows. */
export const toWorkflows =
  (verb: string, deed: Deed): Meddle =>
  async (context) => {
    const { address } = context.world.temporal;
    const temporal = openTemporal({ address, namespace: NAMESPACE });
    try {
      const running = await listRunning(temporal.client);
      const victims = running.filter(() => context.moments.chance(0.5));
      let reached = 0;
      for (const [index, run] of victims.entries()) {
        const isThere = await ifThere(() => deed(temporal.client, run, index, context));
        if (isThere) reached += 1;
      }
      return `${verb} ${reached} of ${running.length} running workflows`;
    } finally {
      await temporal.close();
    }
  };

/** Terminates a workflow. */
export const terminate: Deed = ({ workflow }, { workflowId, runId }) =>
  workflow.getHandle(workflowId, runId).terminate('npm run faults');

/** Cancels a workflow. */
export const cancel: Deed = ({ workflow }, { workflowId, runId }) => workflow.getHandle(workflowId, runId).cancel();

/** Deletes a workflow with its history. */
export const remove: Deed = ({ workflowService }, workflowExecution) =>
  workflowService.deleteWorkflowExecution({ namespace: NAMESPACE, workflowExecution });

/** Takes a workflow back, one to its first task and the next one to one of its later ones. */
export const reset: Deed = async (client, run, index, { moments }) => {
  const { events } = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
  const completed = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: task }) => task);
  // One that has completed no task cannot be reset.
  if (completed.length === 0) return;
  const later = completed.length > 1 ? moments.between(1, completed.length - 1) : 0;
  await client.workflowService.resetWorkflowExecution({
    ...{ namespace: NAMESPACE, workflowExecution: run, reason: 'npm run faults', requestId: randomUUID() },
    workflowTaskFinishEventId: completed[index % 2 === 0 ? 0 : later]?.eventId ?? null,
  });
};

/** Sends a workflow signals that mean nothing. */
export const signalGarbage: Deed = async ({ workflow }, { workflowId, runId }, _index, { moments }) => {
  for (let count = 0; count < SIGNALS_EACH; count += 1) {
    await workflow.getHandle(workflowId, runId).signal(moments.pick(signalNames), ...moments.pick(garbage));
  }
};

async function listRunning({ workflow }: Client): Promise<readonly Run[]> {
  const query = `TaskQueue = '${TASK_QUEUE}' and ExecutionStatus = 'Running'`;
  return await Array.fromAsync(workflow.list({ query }), ({ workflowId, runId }) => ({ workflowId, runId }));
}

/** Whether the workflow was still there: it may have ended since it was listed. */
async function ifThere(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND)) return false;
    throw error;
  }
}

const NOT_FOUND = 5;
