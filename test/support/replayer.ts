import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { afterAll, inject } from 'vitest';

/** A history as Temporal returns it. */
type History = Parameters<typeof Worker.runReplayHistory>[1];

/** Replays histories against the workflows of this tree. */
export interface Replayer {
  /** Rejects with a DeterminismViolationError if the workflow decides otherwise than its history. */
  replay(history: History, workflowId: string): Promise<void>;
}

/** Opens a replayer whose histories share one worker: starting a worker takes longer than most replays. */
export function openReplayer(options: ReplayWorkerOptions): Replayer & { close(): Promise<void> } {
  const { readable, writable } = new TransformStream<{ history: History; workflowId: string }>();
  const writer = writable.getWriter();
  const results = Worker.runReplayHistories(options, readable as never);
  return {
    async replay(history, workflowId) {
      writer.write({ history, workflowId }).catch(() => undefined);
      const { value: result } = await results.next();
      if (!result) throw new Error('The replayer is closed');
      if (result.error) throw result.error;
    },
    async close() {
      await results.return?.();
    },
  };
}

/** Replays with the bundle that all tests share, until the test file ends. */
export function useReplayer(): Replayer {
  let opened: ReturnType<typeof openReplayer> | undefined;
  afterAll(() => opened?.close());
  return {
    replay(history, workflowId) {
      opened ??= openReplayer({ workflowBundle: { codePath: inject('workflowBundle') } });
      return opened.replay(history, workflowId);
    },
  };
}

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
