import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { inject } from 'vitest';

/** Ends a workflow and replays every one of its runs: those given and those that followed from them. */
export async function replayRuns(client: Client, workflowId: string, begun: ReadonlySet<string>): Promise<void> {
  await endWorkflow(client, workflowId);
  for (let runs = [...begun]; runs.length > 0; ) {
    const [runId = '', ...others] = runs;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: { codePath: inject('workflowBundle') } }, history, workflowId);
    const next = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    runs = next && !begun.has(next) ? [next, ...others] : others;
  }
}

async function endWorkflow(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).terminate('the test is over');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
