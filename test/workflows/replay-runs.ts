import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Replayer } from '../support/replayer.ts';

/** Ends a workflow and replays all its runs: the given ones and those that they continued as. */
export async function replayRuns(
  client: Client,
  { replay }: Replayer,
  { workflowId, runs: begun }: { readonly workflowId: string; readonly runs: ReadonlySet<string> },
): Promise<void> {
  await endWorkflow(client, workflowId);
  for (let runs = [...begun]; runs.length > 0; ) {
    const [runId = '', ...others] = runs;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    await replay(history, workflowId);
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
