import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Settings, SubjectInput } from '../../workflows/messages.ts';
import { type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import { brief } from '../domain/lifecycle/timeline.ts';
import type { Condition } from '../inbox/patrol.ts';
import { ignoring } from './connection.ts';

/** Options with which workflows are started. */
export interface SubjectClientOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly settingsOf: (subject: SubjectRef) => Settings;
}

/** Attempts after which a workflow task counts as wedged, some twenty seconds after its first failure. */
const WEDGED_ATTEMPTS = 3;

/** Creates a client of the subjects' workflows, whose id is `{kind}:{tenant}:{id}` and whose type is the kind. */
export function createSubjectClient({ client, taskQueue, settingsOf }: SubjectClientOptions) {
  return {
    /** Wakes the subject's workflow and starts it if none runs: one atomic call to Temporal. */
    async wake(subject: SubjectRef, { names }: { readonly names: readonly string[] }) {
      const start = startOptions(subject, { taskQueue, settingsOf });
      const signalArgs = [names, settingsOf(subject)];
      await client.workflow.signalWithStart(subject.kind, { ...start, signal: 'events', signalArgs });
    },

    look: (subject: SubjectRef) => look(client, subject),

    /** Terminates the subject's workflow when it cannot make progress; its state is in the database. */
    async end(subject: SubjectRef) {
      const handle = client.workflow.getHandle(subjectKey(subject));
      await handle.terminate('its task failed again and again').catch(ifGone);
    },
  };
}

const ifGone = ignoring(WorkflowNotFoundError);

async function look(client: Client, subject: SubjectRef): Promise<Condition> {
  const found = await client.workflow.getHandle(subjectKey(subject)).describe().catch(ifGone);
  if (found?.status.name !== 'RUNNING') return 'gone';
  const { pendingWorkflowTask: task, pendingActivities } = found.raw;
  if (task) return (task.attempt ?? 0) >= WEDGED_ATTEMPTS ? 'wedged' : 'busy';
  return pendingActivities && pendingActivities.length > 0 ? 'busy' : 'asleep';
}

/** Returns the start options of a subject's workflow. */
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
    staticSummary: `${subject.kind} ${brief([subject.id])} of warehouse ${brief([subject.tenant])}`,
  };
}
