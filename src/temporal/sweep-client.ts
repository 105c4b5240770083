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
import { scheduledTenants, sweepId } from './sweep-schedules.ts';

export interface SweepRun {
  readonly client: Client;
  readonly taskQueue: string;
  readonly input: ReconcileInput;
  /** `trouble` is the last error of the current part. */
  readonly onProgress: (state: SweepState, trouble: string | undefined) => void;
  readonly signal: AbortSignal;
  /** Called if a backfill is running already, which is then followed. */
  readonly onFollow?: () => void;
  /** Called with a sentence, repeatedly, while no worker serves the warehouse. */
  readonly onWaiting?: (why: string) => void;
  /** Time until a sweep that no worker picks up is given up. */
  readonly patienceMs?: number;
}

const POLL_MS = 500;

/**
 * Runs as `reconcile:{tenant}:on-demand`, or `backfill:{tenant}`; a backfill that is already running is followed.
 * Rejects with a message for the user if such a sweep is running, nobody picks it up, it fails or is canceled, and with
 * the client's own error if Temporal does not answer.
 */
export async function runSweep(run: SweepRun): Promise<Reconciled> {
  await untilServed(run);
  const handle = await start(run);
  await untilClosed(handle, run);
  try {
    return await handle.result();
  } catch (error) {
    throw explain(error, run.input);
  }
}

/** Without a worker the sweep would wait for ever. */
async function untilServed({ client, taskQueue, input, onWaiting, signal, patienceMs = PATIENCE_MS }: SweepRun) {
  const { tenant, warehouseTaskQueue } = input;
  const deadline = Date.now() + patienceMs;
  while ((await lastPolls(client, warehouseTaskQueue, 'activities')).length === 0) {
    const why = `no running Dockline fetches from warehouse ${tenant}`;
    onWaiting?.(why);
    if (signal.aborted || Date.now() > deadline) {
      const others = (await scheduledTenants(client, taskQueue)).filter((one) => one !== tenant);
      const hint =
        others.length > 0
          ? `; the one that runs sweeps ${others.join(', ')}`
          : '; is it running, with the same WAREHOUSE_TENANT?';
      throw new Error(`${why}: nobody polls the task queue ${warehouseTaskQueue}${hint}`);
    }
    await pause(POLL_MS);
  }
}

const PATIENCE_MS = 15_000;

async function start({ client, taskQueue, input, onFollow }: SweepRun): Promise<WorkflowHandle> {
  const { tenant, backfill } = input;
  const workflowId = backfill ? `backfill:${tenant}` : `${sweepId(tenant)}:on-demand`;
  const staticSummary = `${backfill ? 'backfill' : 'sweep'} of warehouse ${tenant}, on demand`;
  try {
    return await client.workflow.start('reconcile', { workflowId, taskQueue, args: [input], staticSummary });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    if (backfill) {
      onFollow?.();
      return client.workflow.getHandle(workflowId);
    }
    throw new Error(`such a sweep is under way already; wait for it, or cancel ${workflowId} in the Temporal UI`);
  }
}

/** One call at a time, so that none is in flight when the connection closes. */
async function untilClosed(
  handle: WorkflowHandle,
  { onProgress, signal, patienceMs = PATIENCE_MS }: SweepRun,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let isTaken = false;
  let isCanceled = false;
  let state: SweepState | undefined;
  for (;;) {
    const description = await handle.describe();
    if (description.closeTime) return;
    isTaken ||= description.historyLength > UNTOUCHED;
    if (signal.aborted && !isCanceled) {
      await handle.cancel().catch(ignoreClosed);
      isCanceled = true;
    }
    if (isTaken) {
      const answer = await handle.query<SweepState>('progress').catch(() => undefined);
      state = answer ?? state;
      if (state) onProgress(state, answer ? troubleOf(description) : 'nobody answers: is Dockline still running?');
    } else if (isCanceled || Date.now() > deadline) await handle.terminate(NOBODY).catch(ignoreClosed);
    await pause(POLL_MS);
  }
}

/** History events of a workflow that no worker has seen. */
const UNTOUCHED = 2;

const NOBODY = 'Temporal is up, but nobody takes up the work: is Dockline running?';

function troubleOf({ raw }: WorkflowExecutionDescription): string | undefined {
  const [pending] = raw.pendingActivities ?? [];
  if (pending?.lastFailure) {
    const next = pending.lastStartedTime && pending.scheduledTime ? nextTry(pending.scheduledTime.seconds) : '';
    return `attempt ${pending.attempt}${next}, since ${pending.lastFailure.message}`;
  }
  const waitsSince = pending && !pending.lastStartedTime ? Number(pending.scheduledTime?.seconds) * 1000 : Date.now();
  return Date.now() - waitsSince > LONG_WAIT_MS ? "it waits for its turn among the warehouse's GETs" : undefined;
}

function nextTry(seconds: unknown): string {
  const waitMs = Number(seconds) * 1000 - Date.now();
  return waitMs > 0 ? ` in ${Math.ceil(waitMs / 1000)} s` : '';
}

/** An activity that no worker has started by then is reported. */
const LONG_WAIT_MS = 3_000;

const ignoreClosed = ignoring(WorkflowNotFoundError);

function explain(error: unknown, { backfill }: ReconcileInput): unknown {
  if (!(error instanceof WorkflowFailedError)) return error;
  if (error.cause instanceof CancelledFailure) {
    return new Error(`the ${backfill ? 'backfill' : 'sweep'} was canceled`, { cause: error });
  }
  return new Error(error.cause?.message ?? error.message, { cause: error });
}
