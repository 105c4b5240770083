import type { WorkflowService } from '@temporalio/client';

/** Workflow of a namespace. */
interface Workflow {
  readonly namespace: string;
  readonly workflowId: string;
}

/** Reports whether the newest run of a workflow was signaled with an announcement, or one of the runs that it continues. */
export async function hasTaken(service: WorkflowService, workflow: Workflow, announcement: string): Promise<boolean> {
  const mark = `"id":${JSON.stringify(announcement)}`;
  for (let runId: string | undefined = ''; runId !== undefined; ) {
    const run = await readRun(service, { ...workflow, runId });
    if (run.signals.some((signal) => signal.includes(mark))) return true;
    runId = run.continues;
  }
  return false;
}

/** Reads the signals of one run, each as its payload, and the id of the run that it continues. */
async function readRun(service: WorkflowService, { namespace, ...execution }: Workflow & { readonly runId: string }) {
  const signals: Buffer[] = [];
  let continues: string | undefined;
  let nextPageToken: Uint8Array | undefined;
  do {
    const request = { namespace, execution, ...(nextPageToken && { nextPageToken }) };
    const page = await service.getWorkflowExecutionHistory(request);
    for (const event of page.history?.events ?? []) {
      continues = event.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || continues;
      const payloads = event.workflowExecutionSignaledEventAttributes?.input?.payloads ?? [];
      signals.push(...payloads.map(({ data }) => Buffer.from(data ?? [])));
    }
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return { signals, continues };
}
