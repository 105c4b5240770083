import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Reconciled, ReconcileInput } from '../../workflows/sweep-state.ts';
import type { LastSweep } from '../health/sources.ts';
import { ignoring } from './connection.ts';

interface SweepSchedulesOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly installation: string;
  /** 0 for none. */
  readonly everyMs: number;
  readonly inputs: readonly ReconcileInput[];
}

const PREFIX = 'reconcile-';

const handleOf = (client: Client, tenant: string) => client.schedule.getHandle(PREFIX + tenant);

/** An operator or another process may have deleted a schedule meanwhile. */
const ignoreMissing = ignoring(ScheduleNotFoundError);

/** One `reconcile-{tenant}` for each warehouse; deletes others of this installation. Paused ones stay paused. */
export async function keepSweepSchedules(options: SweepSchedulesOptions): Promise<void> {
  const { client, taskQueue, installation, everyMs, inputs } = options;
  const wanted = everyMs > 0 ? inputs : [];
  for (const input of wanted) await keepSchedule(input, options);

  const kept = new Set(wanted.map(({ tenant }) => tenant));
  for await (const { scheduleId, memo } of client.schedule.list()) {
    const isOwn = scheduleId.startsWith(PREFIX) && memo?.taskQueue === taskQueue && memo?.installation === installation;
    const tenant = scheduleId.slice(PREFIX.length);
    if (isOwn && !kept.has(tenant)) await handleOf(client, tenant).delete().catch(ignoreMissing);
  }
}

/**
 * The last successful scheduled sweep. If Temporal knows none, the time since which they are scheduled, so that sweeps
 * that never succeed are noticed; undefined if none is scheduled.
 */
export async function lastSweep(client: Client, tenant: string): Promise<LastSweep | undefined> {
  const query = `TemporalScheduledById = '${PREFIX + tenant}' and ExecutionStatus = 'Completed'`;
  // Temporal lists the one that closed last first.
  for await (const { workflowId, runId, closeTime } of client.workflow.list({ query, pageSize: 1 })) {
    const { tallies } = (await client.workflow.getHandle(workflowId, runId).result()) as Reconciled;
    const differences = Object.values(tallies).reduce((sum, { fed }) => sum + fed, 0);
    return { succeededAt: Number(closeTime), differences };
  }
  const scheduled = await handleOf(client, tenant).describe().catch(ignoreMissing);
  return scheduled && { succeededAt: scheduled.info.createdAt.getTime(), differences: 0 };
}

async function keepSchedule(input: ReconcileInput, options: SweepSchedulesOptions): Promise<void> {
  const { client, taskQueue, installation } = options;
  const scheduleId = PREFIX + input.tenant;
  const schedule = scheduleOf(input, options);
  try {
    await client.schedule.create({ ...schedule, scheduleId, memo: { taskQueue, installation } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await handleOf(client, input.tenant).update(({ state: { paused, note } }) => ({
      ...schedule,
      state: { paused, ...(note !== undefined && { note }) },
    }));
  }
}

function scheduleOf(
  input: ReconcileInput,
  { taskQueue, everyMs }: SweepSchedulesOptions,
): Pick<ScheduleOptions, 'spec' | 'action' | 'policies'> {
  return {
    spec: { intervals: [{ every: everyMs }] },
    action: {
      type: 'startWorkflow',
      workflowType: 'reconcile',
      workflowId: sweepId(input.tenant),
      taskQueue,
      args: [input],
      staticSummary: `sweep of warehouse ${input.tenant}`,
    },
    // One sweep makes up for all that were missed while Temporal was away.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: Math.max(everyMs, SHORTEST_WINDOW_MS) },
  };
}

/** Temporal's own minimum. */
const SHORTEST_WINDOW_MS = 10_000;

/** Temporal appends the time to the id of a scheduled one. */
export const sweepId = (tenant: string): string => `reconcile:${tenant}`;
