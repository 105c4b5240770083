import type { Client } from '@temporalio/client';
import type { LifeInput, LifeSettings } from '../../workflows/messages.ts';
import type { SignaledEvent } from '../domain/event.ts';
import { type SubjectRef, subjectKey } from '../domain/subject.ts';

/** How workflows are started. */
export interface SubjectClientOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly settingsOf: (subject: SubjectRef) => LifeSettings;
}

/** The workflows of subjects as the rest of Dockline speaks to them. */
export interface SubjectClient {
  /** Starts the subject's workflow where none runs, and signals the events to it: one call to Temporal, all of it or nothing. */
  signal(subject: SubjectRef, events: readonly SignaledEvent[]): Promise<void>;
}

/** Speaks to workflows, one for each subject, by their id `{kind}:{tenant}:{id}`; their type is the kind. */
export function createSubjectClient({ client, taskQueue, settingsOf }: SubjectClientOptions): SubjectClient {
  return {
    async signal(subject, events) {
      const start = startOptions(subject, { taskQueue, settingsOf });
      await client.workflow.signalWithStart(subject.kind, { ...start, signal: 'events', signalArgs: [events] });
    },
  };
}

/** What a subject's workflow is started with where none runs. */
export function startOptions(
  subject: SubjectRef,
  { taskQueue, settingsOf }: Pick<SubjectClientOptions, 'taskQueue' | 'settingsOf'>,
) {
  const input: LifeInput = { subject, settings: settingsOf(subject) };
  return {
    workflowId: subjectKey(subject),
    taskQueue,
    args: [input],
    memo: { ...subject },
    staticSummary: `${subject.kind} ${subject.id} of warehouse ${subject.tenant}`,
  };
}
