import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { Settings, SubjectInput } from '../../workflows/messages.ts';
import { recordName, type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import type { SubjectView } from '../domain/lifecycle/standing.ts';
import { brief } from '../domain/lifecycle/timeline.ts';
import { Problem } from '../http/problem.ts';
import type { WorkflowState } from '../inbox/patrol.ts';
import type { SubjectControl } from '../subjects/refresh.ts';
import { ignoring } from './connection.ts';

interface SubjectClientOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly settingsOf: (subject: SubjectRef) => Settings;
}

/** Some twenty seconds after the first failure. */
const WEDGED_ATTEMPTS = 3;

/** Workflow id `{kind}:{tenant}:{id}`, workflow type the kind. */
export function createSubjectClient({ client, taskQueue, settingsOf }: SubjectClientOptions) {
  /** Its state is in the database. */
  async function terminate(subject: SubjectRef, reason: string): Promise<void> {
    await client.workflow.getHandle(subjectKey(subject)).terminate(reason).catch(ifGone);
  }

  return {
    /**
     * One atomic call, which starts the workflow if none runs. Replaces a run that takes no more signals, as after
     * thousands while workers were away.
     */
    async wake(subject: SubjectRef, { names }: { readonly names: readonly string[] }) {
      const start = startOptions(subject, { taskQueue, settingsOf });
      const signalArgs = [names, settingsOf(subject)];
      const signal = async () =>
        void (await client.workflow.signalWithStart(subject.kind, { ...start, signal: 'events', signalArgs }));
      await signal().catch(async (error: unknown) => {
        if (!isFull(error)) throw error;
        await terminate(subject, 'it takes no more signals');
        await signal();
      });
    },

    stateOf: (subject: SubjectRef) => describe(client, subject),

    async end(subject: SubjectRef) {
      const failure = await lastTaskFailure(client, subject).catch(() => undefined);
      await terminate(subject, `its task failed again and again${failure ? `: ${failure}` : ''}`);
    },
  };
}

/** The run has as many signals as it may (`history.maximumSignalsPerExecution`, 10,000). */
const isFull = (error: unknown): boolean =>
  error instanceof ServiceError && isGrpcServiceError(error.cause) && /limit for signal/i.test(error.cause.details);

const ifGone = ignoring(WorkflowNotFoundError);

async function describe(client: Client, subject: SubjectRef): Promise<WorkflowState> {
  const found = await client.workflow.getHandle(subjectKey(subject)).describe().catch(ifGone);
  if (found?.status.name !== 'RUNNING') return 'gone';
  const { pendingWorkflowTask: task, pendingActivities } = found.raw;
  if (task) {
    const isRetried = (task.attempt ?? 0) >= WEDGED_ATTEMPTS;
    // One that timed out was begun by a slow worker, and is as healthy as those of the whole queue.
    return isRetried && (await lastTaskFailure(client, subject)) !== undefined ? 'wedged' : 'busy';
  }
  return pendingActivities && pendingActivities.length > 0 ? 'busy' : 'idle';
}

/** `EventType` of Temporal's API: ends of a workflow task that is tried again. */
const TIMED_OUT = 8;
const FAILED = 9;

/** Newest events that are searched; Temporal writes only the first of a task's attempts. */
const EVENTS = 20;

/** Undefined if the last workflow task timed out, or did not end. */
async function lastTaskFailure(client: Client, subject: SubjectRef): Promise<string | undefined> {
  const { history } = await client.connection.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId: subjectKey(subject) },
    maximumPageSize: EVENTS,
  });
  const end = history?.events?.find(({ eventType }) => eventType === TIMED_OUT || eventType === FAILED);
  if (end?.eventType !== FAILED) return undefined;
  return end.workflowTaskFailedEventAttributes?.failure?.message ?? 'without a reason';
}

export function startOptions(
  subject: SubjectRef,
  { taskQueue, settingsOf }: Pick<SubjectClientOptions, 'taskQueue' | 'settingsOf'>,
) {
  const input: SubjectInput = { subject, settings: settingsOf(subject) };
  return {
    workflowId: subjectKey(subject),
    taskQueue,
    args: [input],
    memo: { ...subject },
    staticSummary: `${recordName({ ...subject, id: brief([subject.id]) })} of warehouse ${brief([subject.tenant])}`,
  };
}

const ANSWER_MS = 3000;
const UPDATE_MS = 10_000;

export function createSubjectControl(options: SubjectClientOptions): SubjectControl {
  const { client } = options;
  const { workflow } = client;
  const soon = <T>(ask: () => Promise<T>) => client.withDeadline(Date.now() + ANSWER_MS, ask);

  async function changeMarks(subject: SubjectRef, update: 'release' | 'undoRelease', by: string) {
    const handle = workflow.getHandle(subjectKey(subject));
    const ask = () => handle.executeUpdate<SubjectView, [string]>(update, { args: [by] });
    return await soon(ask).catch(refuse).catch(ifGone);
  }

  return {
    async refresh(subject) {
      const startWorkflowOperation = new WithStartWorkflowOperation(subject.kind, {
        ...startOptions(subject, options),
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      const update = await soon(() =>
        workflow.startUpdateWithStart<Workflow, SubjectView, []>('refresh', {
          startWorkflowOperation,
          waitForStage: 'ACCEPTED',
        }),
      );
      return await client
        .withDeadline(Date.now() + UPDATE_MS, () => update.result())
        .catch(refuse)
        .catch(ignoring(WorkflowUpdateRPCTimeoutOrCancelledError));
    },

    release: (subject, by) => changeMarks(subject, 'release', by),
    undoRelease: (subject, by) => changeMarks(subject, 'undoRelease', by),
  };
}

/** Passes the workflow's own reason on to the caller, as a conflict. */
function refuse(error: unknown): never {
  if (!(error instanceof WorkflowUpdateFailedError)) throw error;
  throw new Problem(409, `Its workflow refuses: ${error.cause?.message ?? error.message}.`);
}
