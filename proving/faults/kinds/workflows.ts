import { randomUUID } from 'node:crypto';
import { type Client, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { openTemporal } from '../../../src/temporal/connection.ts';
import { TASK_QUEUE } from '../../../src/temporal/task-queues.ts';
import type { FaultContext } from '../fault.ts';
import type { Interfere } from './interference.ts';

/** Run of a workflow. */
interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/** Action on one workflow; the index counts those of the round. */
type Action = (client: Client, run: Run, index: number, context: FaultContext) => Promise<unknown>;

const NAMESPACE = 'default';
const NOT_FOUND = 5;

/** Acts on about half of the running workflows. */
export const toWorkflows =
  (verb: string, act: Action): Interfere =>
  async (context) => {
    const { client, close } = openTemporal({ address: context.fixture.temporal.address, namespace: NAMESPACE });
    try {
      const running = await listRunning(client);
      const targets = running.filter(() => context.moments.chance(0.5));
      let reached = 0;
      for (const [index, run] of targets.entries()) {
        if (await isFound(() => act(client, run, index, context))) reached += 1;
      }
      return `${verb} ${reached} of ${running.length} running workflows`;
    } finally {
      await close();
    }
  };

async function listRunning({ workflow }: Client): Promise<readonly Run[]> {
  const query = `TaskQueue = '${TASK_QUEUE}' and ExecutionStatus = 'Running'`;
  return await Array.fromAsync(workflow.list({ query }), ({ workflowId, runId }) => ({ workflowId, runId }));
}

/** Reports whether the workflow still existed: it may have ended since it was listed. */
async function isFound(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND)) return false;
    throw error;
  }
}

/** Terminates a workflow. */
export const terminate: Action = ({ workflow }, { workflowId, runId }) =>
  workflow.getHandle(workflowId, runId).terminate('npm run faults');

/** Cancels a workflow. */
export const cancel: Action = ({ workflow }, { workflowId, runId }) => workflow.getHandle(workflowId, runId).cancel();

/** Deletes a workflow with its history. */
export const remove: Action = ({ workflowService }, workflowExecution) =>
  workflowService.deleteWorkflowExecution({ namespace: NAMESPACE, workflowExecution });

/** Resets a workflow, in turn to its first and to a later task. */
export const reset: Action = async (client, run, index, { moments }) => {
  const { events } = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
  const completed = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: task }) => task);
  // A workflow without a completed task cannot be reset.
  if (completed.length === 0) return;
  const later = completed.length > 1 ? moments.between(1, completed.length - 1) : 0;
  await client.workflowService.resetWorkflowExecution({
    namespace: NAMESPACE,
    workflowExecution: run,
    reason: 'npm run faults',
    requestId: randomUUID(),
    workflowTaskFinishEventId: completed[index % 2 === 0 ? 0 : later]?.eventId ?? null,
  });
};

const SIGNALS_EACH = 5;

/** A current signal, a former one, another kind of message, and an unknown name. */
const signalNames = ['events', 'resend', 'refresh', 'no such signal'] as const;

/** Arguments that Dockline never sends. */
const garbage: readonly [readonly unknown[], ...(readonly unknown[])[]] = [
  [],
  [null],
  ['a string'],
  [{ ids: 7 }],
  [Array.from({ length: 10_000 }, (_, index) => `order:9104:${index}/1/created`)],
  [[null, 7, { name: 'OrderCreate' }], 'settings'],
  [[], { gracePeriodMs: 'long', stageLimitsMs: null }],
];

/** Sends a workflow meaningless signals. */
export const signalGarbage: Action = async ({ workflow }, { workflowId, runId }, _index, { moments }) => {
  for (let count = 0; count < SIGNALS_EACH; count += 1) {
    await workflow.getHandle(workflowId, runId).signal(moments.pick(signalNames), ...moments.pick(garbage));
  }
};
