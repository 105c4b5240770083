import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { Stream } from '../../../sandbox/simulator/random.ts';
import { openTemporal } from '../../../src/temporal/connection.ts';
import { TASK_QUEUE } from '../../../src/temporal/pollers.ts';
import { engines, type Fault, FaultError, perRound } from '../fault.ts';

/** Run of a workflow. */
interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/** Action on one workflow. */
type Action = (client: Client, run: Run, moments: Stream) => Promise<unknown>;

const NAMESPACE = 'default';
const NOT_FOUND = 5;

/** Maximum time that the warehouse and the destination fail before and after the disturbance, in milliseconds. */
const FAILING_FOR_MS = 1_500;

/**
 * Maximum time until everything is announced once all is healthy, in milliseconds. Dockline runs with the default
 * `REDISPATCH_AFTER_MS`, though a shorter one would make shorter rounds, since this is what users are promised.
 */
const RECOVERY_MS = 60_000;

/**
 * Acts on about half of the running workflows while the warehouse and the destination fail, so that events wait for a GET and
 * announcements wait. They answer, since an exchange that is cut off would excuse a repeat.
 */
export const disturbance: Fault = {
  name: 'workflows-disturbed',
  description: 'running workflows are terminated, canceled, reset, deleted, or receive meaningless signals',
  needs: engines,
  mayRepeat: false,
  run: perRound(async ({ fixture: { simulator, receiver, temporal }, moments, signal, say }) => {
    const fail = (fails: boolean) => {
      simulator.setFaults({ down: fails, tokenToo: fails });
      receiver.setAnswer(fails ? 503 : 204);
    };
    fail(true);
    await pause(moments.between(0, FAILING_FOR_MS), undefined, { signal });
    say(await disturb(temporal.address, moments));
    await pause(moments.between(0, FAILING_FOR_MS), undefined, { signal });
    fail(false);
    return (tookMs) => {
      say(`everything was announced within ${tookMs} ms`);
      if (tookMs > RECOVERY_MS) throw new FaultError(`it took ${tookMs} ms until everything was announced`);
    };
  }),
};

async function disturb(address: string, moments: Stream): Promise<string> {
  const { client, close } = openTemporal({ address, namespace: NAMESPACE });
  try {
    const running = await listRunning(client);
    const reached: string[] = [];
    for (const run of running.filter(() => moments.chance(0.5))) {
      const [done, act] = moments.pick(actions);
      if (await isFound(() => act(client, run, moments))) reached.push(done);
    }
    return `${running.length} workflows ran: ${reached.join(', ') || 'none was reached'}`;
  } finally {
    await close();
  }
}

async function listRunning({ workflow }: Client): Promise<readonly Run[]> {
  const query = `TaskQueue = '${TASK_QUEUE}' and ExecutionStatus = 'Running'`;
  return await Array.fromAsync(workflow.list({ query }), ({ workflowId, runId }) => ({ workflowId, runId }));
}

/** Reports whether the workflow still existed: it may have ended since it was listed. */
async function isFound(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND)) return false;
    throw error;
  }
}

const handleOf = ({ workflow }: Client, { workflowId, runId }: Run) => workflow.getHandle(workflowId, runId);

/** Resets a workflow, to its first or to a later task. */
const reset: Action = async (client, run, moments) => {
  const { events } = await handleOf(client, run).fetchHistory();
  const completed = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: task }) => task);
  const task = completed[moments.between(0, completed.length - 1)];
  // A workflow without a completed task cannot be reset.
  if (!task) return;
  await client.workflowService.resetWorkflowExecution({
    namespace: NAMESPACE,
    workflowExecution: run,
    reason: 'npm run faults',
    requestId: randomUUID(),
    workflowTaskFinishEventId: task.eventId ?? null,
  });
};

const SIGNALS_EACH = 5;

/** A current signal, a former one, another kind of message, and an unknown name. */
const signalNames = ['events', 'resend', 'refresh', 'no such signal'] as const;

/** Arguments that Dockline never sends. */
const garbage: readonly [readonly unknown[], ...(readonly unknown[])[]] = [
  [],
  [null],
  ['a string'],
  [{ ids: 7 }],
  [Array.from({ length: 10_000 }, (_, index) => `order:9104:${index}/1/created`)],
  [[null, 7, { name: 'OrderCreate' }], 'settings'],
  [[], { gracePeriodMs: 'long', stageLimitsMs: null }],
];

const signalGarbage: Action = async (client, run, moments) => {
  for (let count = 0; count < SIGNALS_EACH; count += 1)
    await handleOf(client, run).signal(moments.pick(signalNames), ...moments.pick(garbage));
};

/** Interventions in a workflow, each with its description. */
const actions: readonly [readonly [string, Action], ...(readonly [string, Action])[]] = [
  ['terminated', (client, run) => handleOf(client, run).terminate('npm run faults')],
  ['canceled', (client, run) => handleOf(client, run).cancel()],
  ['reset', reset],
  [
    'deleted',
    ({ workflowService }, workflowExecution) =>
      workflowService.deleteWorkflowExecution({ namespace: NAMESPACE, workflowExecution }),
  ],
  ['sent garbage', signalGarbage],
];
