import type { WorkflowService } from '@temporalio/client';
import { isGone } from './temporal-failure.ts';

interface Workflow {
  readonly namespace: string;
  readonly workflowId: string;
}

/** `continues` is the id of a run. */
interface Run {
  readonly signals: readonly Buffer[];
  readonly continues: string | undefined;
}

const NOTHING: Run = { signals: [], continues: undefined };

/** Also looks at runs that the newest one continues. Those before one that is gone are not asked for. */
export async function hasTaken(service: WorkflowService, workflow: Workflow, announcement: string): Promise<boolean> {
  const mark = `"id":${JSON.stringify(announcement)}`;
  for (let runId: string | undefined = ''; runId !== undefined; ) {
    const run: Run = await readRun(service, { ...workflow, runId }).catch((error: unknown) => {
      if (isGone(error)) return NOTHING;
      throw error;
    });
    if (run.signals.some((signal) => signal.includes(mark))) return true;
    runId = run.continues;
  }
  return false;
}

async function readRun(
  service: WorkflowService,
  { namespace, ...execution }: Workflow & { readonly runId: string },
): Promise<Run> {
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
