import {
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import type { SubjectView } from '../domain/lifecycle/standing.ts';
import type { SubjectControl } from '../subjects/refresh.ts';
import { ignoring } from './connection.ts';
import { type SubjectClientOptions, startOptions } from './subject-client.ts';

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

/** Answered as a conflict. */
class UpdateRefusal extends Error {
  override readonly name = 'UpdateRefusal';
  readonly statusCode = 409;

  constructor(reason: string) {
    super(`Its workflow refuses: ${reason}.`);
  }
}

const ifGone = ignoring(WorkflowNotFoundError);

/** Passes the workflow's own reason on to the caller. */
function refuse(error: unknown): never {
  throw error instanceof WorkflowUpdateFailedError ? new UpdateRefusal(error.cause?.message ?? error.message) : error;
}
