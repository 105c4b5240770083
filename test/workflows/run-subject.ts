import { randomUUID } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import pRetry from 'p-retry';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import type { Activities } from '../../activities/activities.ts';
import type { SubjectKind, SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { SubjectView } from '../../src/domain/lifecycle/standing.ts';
import { createDataConverter, openTemporal } from '../../src/temporal/connection.ts';
import { startOptions } from '../../src/temporal/subject-client.ts';
import type { Settings } from '../../workflows/messages.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { type Replayer, replayRuns, useReplayer } from '../support/replayer.ts';

/** Fake activities of a subject's workflow; `calls` is the number of earlier calls. */
export type Fakes = {
  readonly [A in FakeName]: (
    input: Parameters<Activities[A]>[0],
    calls: number,
  ) => Awaited<ReturnType<Activities[A]>> | ReturnType<Activities[A]>;
};

type FakeName = 'advance' | 'retrieve' | 'record' | 'announce';

/** Call of an activity: `on` is `local` for local activities, else the task queue. */
export interface Call<Input> {
  readonly on: string;
  readonly input: Input;
}

type Calls = { readonly [A in FakeName]: Call<Parameters<Activities[A]>[0]>[] };

/** Subject whose workflow runs with fake activities. */
export interface RunSubject {
  readonly subject: SubjectRef;
  readonly settings: Settings;
  readonly calls: Calls;
  /** Newest run of the workflow. */
  readonly workflow: WorkflowHandle;
  /** Wakes the workflow, by default as the dispatcher does; returns the id of the run that it woke. */
  wake(names?: readonly string[], settings?: Partial<Settings>): Promise<string>;
  /** Starts the workflow without waking it. */
  start(): Promise<void>;
  /** Resets the newest run to before an event; returns the id of the new run. */
  reset(eventId: HistoryEvent['eventId']): Promise<string>;
  signal(name: string, ...args: readonly unknown[]): Promise<void>;
  view(): Promise<SubjectView>;
  revision(): Promise<number>;
  timeline(): Promise<string>;
  /** Returns the status of a run. Default: the newest. */
  status(runId?: string): Promise<string>;
  /** Returns the events of a run. Default: the newest. */
  history(runId?: string): Promise<readonly HistoryEvent[]>;
}

/** Event of a history. */
export type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** Runs subjects in its own workers. */
export interface SubjectRunner {
  /** Creates a subject whose workflow has not started. After the test, its workflow is terminated and all its runs must replay. */
  begin(fakes: Partial<Fakes>, options?: BeginOptions): RunSubject;
}

/** Deviations from the defaults. */
export interface BeginOptions {
  readonly kind?: SubjectKind;
  readonly settings?: Partial<Settings>;
}

quietRuntime();

/** Runs the subjects of a test file. */
export function useRunner(): SubjectRunner {
  const replayer = useReplayer();
  let opened: Awaited<ReturnType<typeof openRunner>>;
  beforeAll(async () => {
    opened = await openRunner(replayer);
  });
  afterAll(() => opened.close());
  return { begin: (fakes, options) => opened.begin(fakes, options) };
}

/** Creates a gate for activities to wait at, which opens when the test says so or ends. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  return { opened: promise, open: resolve };
}

/** Reports whether a run has asked to cancel an activity. */
export const hasAskedToCancel = async (run: RunSubject, runId: string): Promise<boolean> =>
  (await run.history(runId)).some((event) => event.activityTaskCancelRequestedEventAttributes);

/** Returns the timers of a run, in milliseconds, with their summaries. */
export async function timersOf(run: RunSubject): Promise<readonly { readonly ms: number; readonly summary: string }[]> {
  return (await run.history()).flatMap(({ timerStartedEventAttributes: timer, userMetadata }) => {
    if (!timer) return [];
    const ms = Number(timer.startToFireTimeout?.seconds) * 1000 + Number(timer.startToFireTimeout?.nanos) / 1e6;
    return [{ ms, summary: String(JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString())) }];
  });
}

/** Starts a worker for workflows and one per task queue of the settings. */
async function openRunner(replayer: Replayer): Promise<SubjectRunner & { close(): Promise<void> }> {
  // Files share the server, and some a process.
  const tenant = randomUUID().slice(0, 8);
  const taskQueue = `subjects-${tenant}`;
  const address = inject('temporalAddress');
  const { client, close } = openTemporal({ address, namespace: 'default' });
  const connection = await NativeConnection.connect({ address });
  const begun = new Map<string, { readonly fakes: Partial<Fakes>; readonly calls: Calls }>();
  const { advance, record, retrieve, announce } = bindFakes(begun);
  const dataConverter = createDataConverter();
  const shared = { connection, namespace: 'default', dataConverter, maxHeartbeatThrottleInterval: '100 ms' } as const;
  const workflowBundle = { codePath: inject('workflowBundle') };
  const workers = await Promise.all([
    Worker.create({ ...shared, taskQueue, workflowBundle, activities: { advance, record } }),
    Worker.create({ ...shared, taskQueue: `${taskQueue}-warehouse`, activities: { retrieve } }),
    Worker.create({ ...shared, taskQueue: `${taskQueue}-announce`, activities: { announce } }),
  ]);
  const running = workers.map((worker) => worker.run());

  return {
    begin(fakes, { kind = 'order', settings: changes } = {}) {
      const subject: SubjectRef = { tenant, kind, id: String(begun.size + 1) };
      const settings = { ...settingsOn(taskQueue), ...changes };
      const start = startOptions(subject, { taskQueue, settingsOf: () => settings });
      const handleOf = (runId?: string) => client.workflow.getHandle(start.workflowId, runId);
      const workflow = handleOf();
      // On a busy machine the server seldom leaves one unanswered, and no client repeats it.
      const query = <T>(name: string) =>
        pRetry(() => client.withDeadline(Date.now() + 4_000, () => workflow.query<T>(name)), { retries: 2 });
      const runs = new Set<string>();
      const calls: Calls = { advance: [], retrieve: [], record: [], announce: [] };
      begun.set(start.workflowId, { fakes, calls });
      onTestFinished(() => replayRuns(client, replayer, { workflowId: start.workflowId, runs }));
      return {
        subject,
        settings,
        calls,
        workflow,
        async wake(names = ['OrderUpdate'], today = {}) {
          const signal = { signal: 'events', signalArgs: [names, { ...settings, ...today }] };
          const { signaledRunId } = await client.workflow.signalWithStart(kind, { ...start, ...signal });
          runs.add(signaledRunId);
          return signaledRunId;
        },
        async start() {
          runs.add((await client.workflow.start(kind, start)).firstExecutionRunId);
        },
        async reset(eventId) {
          const { runId } = await client.workflowService.resetWorkflowExecution({
            namespace: 'default',
            workflowExecution: { workflowId: start.workflowId },
            reason: 'a test',
            requestId: randomUUID(),
            workflowTaskFinishEventId: eventId ?? null,
          });
          runs.add(runId);
          return runId;
        },
        signal: (name, ...args) => workflow.signal(name, ...args),
        view: () => query('lifecycle'),
        revision: async () => (await query<SubjectView>('lifecycle')).lifecycle.revision,
        timeline: async () => (await query<readonly string[]>('timeline')).join('\n'),
        status: async (runId) => (await handleOf(runId).describe()).status.name,
        history: async (runId) => (await handleOf(runId).fetchHistory()).events ?? [],
      };
    },
    async close() {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await connection.close();
      await close();
    },
  };
}

function bindFakes(begun: ReadonlyMap<string, { readonly fakes: Partial<Fakes>; readonly calls: Calls }>) {
  const bind =
    <A extends FakeName>(name: A) =>
    async (input: Parameters<Activities[A]>[0]): Promise<Awaited<ReturnType<Activities[A]>>> => {
      const { isLocal, taskQueue, workflowExecution } = activityInfo();
      const { fakes, calls } = begun.get(workflowExecution?.workflowId ?? '') ?? {};
      const fake = fakes?.[name];
      if (!fake || !calls) throw new Error(`no test expects ${name}`);
      const made: Call<typeof input>[] = calls[name];
      made.push({ on: isLocal ? 'local' : (taskQueue.split('-')[2] ?? 'workflows'), input });
      return await fake(input, made.length - 1);
    };
  return { advance: bind('advance'), retrieve: bind('retrieve'), record: bind('record'), announce: bind('announce') };
}

const settingsOn = (taskQueue: string): Settings => ({
  gracePeriodMs: 3_600_000,
  stageLimitsMs: {},
  signalsPerRun: 1000,
  inline: true,
  warehouseTaskQueue: `${taskQueue}-warehouse`,
  announceTaskQueue: `${taskQueue}-announce`,
});
