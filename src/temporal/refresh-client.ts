import type { Client } from '@temporalio/client';
import type { RefreshManyInput } from '../../workflows/refresh-many.ts';

/** Deadline of a start, in milliseconds. */
const ANSWER_MS = 3000;

/** Pages per run of the workflow; a limit keeps each history short. */
const PAGES_PER_RUN = 500;

/** Creates a function that sees to it that the workflow of a refresh of many runs. One that was lost begins again where its record says. */
export function createRefreshStart({ client, taskQueue }: { readonly client: Client; readonly taskQueue: string }) {
  return async (bulk: number): Promise<void> => {
    const input: RefreshManyInput = { bulk, pagesPerRun: PAGES_PER_RUN };
    const start = () =>
      client.workflow.start('refreshMany', {
        workflowId: `refresh-many:${taskQueue}:${bulk}`,
        workflowIdConflictPolicy: 'USE_EXISTING',
        taskQueue,
        args: [input],
        staticSummary: `bulk refresh ${bulk}`,
      });
    await client.withDeadline(Date.now() + ANSWER_MS, start);
  };
}
