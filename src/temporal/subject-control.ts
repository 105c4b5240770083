import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { LifeView } from '../../workflows/messages.ts';
import type { LiveSubject, SubjectControl } from '../admin/ports.ts';
import { parseSubjectKey, type SubjectRef, subjectKey } from '../domain/subject.ts';
import { type SubjectClientOptions, startOptions } from './subject-client.ts';

/** How long an operator waits for an answer, and for what an update does, in milliseconds. */
const ANSWER_MS = 3000;
const UPDATE_MS = 10_000;

/** What operators ask of workflows and have them do. */
export function createSubjectControl(options: SubjectClientOptions): SubjectControl {
  const { client, taskQueue } = options;
  const { workflow } = client;
  const soon = <T>(ask: () => Promise<T>) => client.withDeadline(Date.now() + ANSWER_MS, ask);
  const running = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running' and Attention = 'refused'`;

  return {
    look: (subject) => soon(() => ifThere(() => look(client, subject))),

    async refresh(subject) {
      const startWorkflowOperation = new WithStartWorkflowOperation(subject.kind, {
        ...startOptions(subject, options),
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      const update = await soon(() =>
        workflow.startUpdateWithStart<Workflow, LifeView, []>('refresh', {
          startWorkflowOperation,
          waitForStage: 'ACCEPTED',
        }),
      );
      return await client.withDeadline(Date.now() + UPDATE_MS, () => unlessLate(() => update.result()));
    },

    release: (subject) =>
      soon(() => ifThere(() => workflow.getHandle(subjectKey(subject)).executeUpdate<LifeView, []>('release'))),

    async resend(subject, ids) {
      const start = startOptions(subject, options);
      await soon(() => workflow.signalWithStart(subject.kind, { ...start, signal: 'resend', signalArgs: [ids] }));
    },

    refused: ({ after, limit }) => soon(() => listWorkflows(client, { query: running, after, limit })),

    async countRefused() {
      const { count } = await soon(() => workflow.count(running));
      return count;
    },
  };
}

async function look({ workflow }: Client, subject: SubjectRef): Promise<LiveSubject> {
  const handle = workflow.getHandle(subjectKey(subject));
  const view = await handle.query<LifeView>('lifecycle');
  return { ...view, timeline: await handle.query<readonly string[]>('timeline') };
}

/** The client's own listing goes through all pages; an operator wants one, and the place where the next begins. */
async function listWorkflows(
  { connection, options }: Client,
  page: { readonly query: string; readonly after: string | undefined; readonly limit: number },
): ReturnType<SubjectControl['refused']> {
  const { executions, nextPageToken } = await connection.workflowService.listWorkflowExecutions({
    namespace: options.namespace,
    query: page.query,
    pageSize: page.limit,
    nextPageToken: Buffer.from(page.after ?? '', 'base64url'),
  });
  return {
    subjects: executions.flatMap(({ execution }) => parseSubjectKey(execution?.workflowId ?? '') ?? []),
    next: nextPageToken.length > 0 ? Buffer.from(nextPageToken).toString('base64url') : null,
  };
}

async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function unlessLate<T>(wait: () => Promise<T>): Promise<T | undefined> {
  try {
    return await wait();
  } catch (error) {
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return undefined;
    throw error;
  }
}
