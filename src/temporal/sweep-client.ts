import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import type { Reconciled, ReconcileInput, SweepState } from '../../workflows/sweep-state.ts';
import { ignoring } from './connection.ts';
import { lastPolls } from './pollers.ts';
import { sweepId } from './sweep-schedules.ts';

export interface SweepRun {
  readonly client: Client;
  readonly taskQueue: string;
  readonly input: ReconcileInput;
  /** `trouble` is the last error of the current part. */
  readonly onProgress: (state: SweepState, trouble: string | undefined) => void;
  readonly signal: AbortSignal;
  /** Time until a sweep of a warehouse that no worker serves is given up. */
  readonly patienceMs?: number;
}

const POLL_MS = 500;

/**
 * Runs as `reconcile:{tenant}:on-demand`, or `backfill:{tenant}`. Rejects with a message for the user if such a sweep is
 * running, nobody serves the warehouse, it fails or is canceled, and with the client's own error if Temporal does not
 * answer.
 */
export async function runSweep(run: SweepRun): Promise<Reconciled> {
  await untilServed(run);
  const handle = await start(run);
  await untilClosed(handle, run);
  try {
    return await handle.result();
  } catch (error) {
    throw explain(error);
  }
}

/** Without a worker the sweep would wait for ever. */
async function untilServed({ client, input, signal, patienceMs = PATIENCE_MS }: SweepRun): Promise<void> {
  const { tenant, warehouseTaskQueue } = input;
  const deadline = Date.now() + patienceMs;
  while ((await lastPolls(client, warehouseTaskQueue, 'activities')).length === 0) {
    if (signal.aborted || Date.now() > deadline)
      throw new Error(
        `no running Dockline fetches from warehouse ${tenant}: nobody polls the task queue ${warehouseTaskQueue}; is it running, with the same WAREHOUSE_TENANT?`,
      );
    await pause(POLL_MS);
  }
}

const PATIENCE_MS = 15_000;

async function start({ client, taskQueue, input }: SweepRun): Promise<WorkflowHandle> {
  const { tenant, backfill } = input;
  const workflowId = backfill ? `backfill:${tenant}` : `${sweepId(tenant)}:on-demand`;
  const staticSummary = `${backfill ? 'backfill' : 'sweep'} of warehouse ${tenant}, on demand`;
  try {
    return await client.workflow.start('reconcile', { workflowId, taskQueue, args: [input], staticSummary });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw new Error(`one is under way already; wait for it, or cancel ${workflowId} in the Temporal UI`);
  }
}

/** One call at a time, so that none is in flight when the connection closes. */
async function untilClosed(handle: WorkflowHandle, { onProgress, signal }: SweepRun): Promise<void> {
  let isCanceled = false;
  for (;;) {
    const description = await handle.describe();
    if (description.closeTime) return;
    if (signal.aborted && !isCanceled) {
      await handle.cancel().catch(ignoreClosed);
      isCanceled = true;
    }
    const state = await handle.query<SweepState>('progress').catch(() => undefined);
    if (state) onProgress(state, troubleOf(description));
    await pause(POLL_MS);
  }
}

function troubleOf({ raw }: WorkflowExecutionDescription): string | undefined {
  const [pending] = raw.pendingActivities ?? [];
  return pending?.lastFailure ? `attempt ${pending.attempt}, since ${pending.lastFailure.message}` : undefined;
}

const ignoreClosed = ignoring(WorkflowNotFoundError);

function explain(error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError)) return error;
  if (error.cause instanceof CancelledFailure) return new Error('it was canceled', { cause: error });
  return new Error(error.cause?.message ?? error.message, { cause: error });
}
