import {
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { SubjectView } from '../../workflows/messages.ts';
import { type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import { ignoring } from './connection.ts';
import { type SubjectClientOptions, startOptions } from './subject-client.ts';

/** Deadlines of a query or signal, and of an update, in milliseconds. */
const ANSWER_MS = 3000;
const UPDATE_MS = 10_000;

/** Control of the workflows of subjects; rejects with the client's error if Temporal does not answer. */
export type SubjectControl = ReturnType<typeof createSubjectControl>;

/** Queries and updates of workflows on behalf of operators. */
export function createSubjectControl(options: SubjectClientOptions) {
  const { client } = options;
  const { workflow } = client;
  const soon = <T>(ask: () => Promise<T>) => client.withDeadline(Date.now() + ANSWER_MS, ask);

  async function changeMarks(subject: SubjectRef, update: 'release' | 'undoRelease', by: string) {
    const handle = workflow.getHandle(subjectKey(subject));
    const ask = () => handle.executeUpdate<SubjectView, [string]>(update, { args: [by] });
    return await soon(ask).catch(refuse).catch(ifGone);
  }

  return {
    /** Fetches the subject now, in a new run if the last one has completed; undefined if that takes too long. */
    async refresh(subject: SubjectRef): Promise<SubjectView | undefined> {
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

    /** Clears its marks for attention on behalf of somebody; undefined if it has no running workflow. */
    release: (subject: SubjectRef, by: string): Promise<SubjectView | undefined> => changeMarks(subject, 'release', by),
    /** Brings the marks back that were cleared and have not ended since, likewise. */
    undoRelease: (subject: SubjectRef, by: string): Promise<SubjectView | undefined> =>
      changeMarks(subject, 'undoRelease', by),
  };
}

/** Refusal by the workflow, answered as a conflict. */
class UpdateRefusal extends Error {
  override readonly name = 'UpdateRefusal';
  readonly statusCode = 409;

  constructor(reason: string) {
    super(`Its workflow refuses: ${reason}.`);
  }
}

const ifGone = ignoring(WorkflowNotFoundError);

/** Passes the workflow's own reason, such as its validator's, to the caller. */
function refuse(error: unknown): never {
  throw error instanceof WorkflowUpdateFailedError ? new UpdateRefusal(error.cause?.message ?? error.message) : error;
}
