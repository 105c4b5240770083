import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { ReconcileInput } from '../../workflows/sweep-state.ts';

/** The sweeps that are to go on by themselves. */
export interface SweepSchedulesOptions {
  readonly client: Client;
  readonly taskQueue: string;
  /** The time from one sweep to the next, in milliseconds; 0 for none at all. */
  readonly everyMs: number;
  /** One for each warehouse. */
  readonly inputs: readonly ReconcileInput[];
  /** Leaves schedules that are there as they are. */
  readonly onlyMissing?: boolean;
}

const PREFIX = 'reconcile-';

/**
 * Sees to it that each warehouse has its schedule `reconcile-{tenant}` and that no others of this task queue are left. What an
 * operator paused stays paused. The same again changes nothing.
 */
export async function keepSweepSchedules(options: SweepSchedulesOptions): Promise<void> {
  const { client, taskQueue, everyMs, inputs } = options;
  const wanted = everyMs > 0 ? inputs : [];
  for (const input of wanted) await keepSchedule(input, options);

  const kept = new Set(wanted.map(({ tenant }) => PREFIX + tenant));
  for await (const { scheduleId, memo } of client.schedule.list()) {
    const isOurs = scheduleId.startsWith(PREFIX) && memo?.taskQueue === taskQueue;
    if (isOurs && !kept.has(scheduleId)) await client.schedule.getHandle(scheduleId).delete().catch(ignoreMissing);
  }
}

async function keepSchedule(input: ReconcileInput, options: SweepSchedulesOptions): Promise<void> {
  const { client, taskQueue } = options;
  const scheduleId = PREFIX + input.tenant;
  const schedule = scheduleOf(input, options);
  try {
    await client.schedule.create({ ...schedule, scheduleId, memo: { taskQueue } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    if (options.onlyMissing) return;
    await client.schedule.getHandle(scheduleId).update(({ state: { paused, note } }) => ({
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
      ...{ type: 'startWorkflow', workflowType: 'reconcile', workflowId: sweepId(input.tenant), taskQueue },
      ...{ args: [input], staticSummary: `sweep of warehouse ${input.tenant}` },
    },
    // Of the sweeps that were missed while Temporal was away one is enough.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: Math.max(everyMs, SHORTEST_WINDOW_MS) },
  };
}

/** Temporal's own minimum. */
const SHORTEST_WINDOW_MS = 10_000;

/** The id of a warehouse's sweeps; Temporal adds the time to that of a scheduled one. */
export function sweepId(tenant: string): string {
  return `reconcile:${tenant}`;
}

/** Its operator, or another process of ours, was faster. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
}
