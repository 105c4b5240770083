import { randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Refreshing } from '../../activities/ports/refreshing.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { createDataConverter } from '../../src/temporal/data-converter.ts';
import { createRefreshStart } from '../../src/temporal/refresh-client.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { replayRuns, useReplayer } from '../support/replayer.ts';

quietRuntime();

const replayer = useReplayer();

const tried = (done: number, total = 5): Refreshing => ({ total, done, asked: 0, failed: 0, isOver: done === total });

/** Page of a refresh: `calls` is the number of earlier calls. It may wait until the test opens the gate, or ends. */
type Page = (calls: number, gate: Promise<void>) => Promise<Refreshing>;

/** Runs the workflow of a bulk refresh with fake activities. After the test it is terminated, and all its runs must replay. */
async function run(refreshPage: Page) {
  const taskQueue = `refreshes-${randomUUID().slice(0, 8)}`;
  const address = inject('temporalAddress');
  const { client, close } = openTemporal({ address, namespace: 'default' });
  const connection = await NativeConnection.connect({ address });
  const gate = Promise.withResolvers<void>();
  const asked: number[] = [];
  const canceled: number[] = [];
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { codePath: inject('workflowBundle') },
    dataConverter: createDataConverter(),
    activities: {
      refreshPage: (bulk: number) => refreshPage(asked.push(bulk) - 1, gate.promise),
      cancelRefresh: async (bulk: number) => void canceled.push(bulk),
    },
  });
  const running = worker.run();
  const startBulk = createRefreshStart({ client, taskQueue });
  const workflowId = `refresh-many:${taskQueue}:7`;
  const workflow = client.workflow.getHandle(workflowId);
  const runs = new Set<string>();
  onTestFinished(async () => {
    gate.resolve();
    await replayRuns(client, replayer, { workflowId, runs });
    worker.shutdown();
    await running;
    await connection.close();
    await close();
  });
  return {
    workflow,
    asked,
    canceled,
    open: gate.resolve,
    /** Sees to it that it runs; returns the id of its run. */
    async start() {
      await startBulk(7);
      const { runId } = await workflow.describe();
      runs.add(runId);
      return runId;
    },
    async startWith(pagesPerRun: number) {
      const options = { workflowId, taskQueue, args: [{ bulk: 7, pagesPerRun }] };
      const { firstExecutionRunId } = await client.workflow.start('refreshMany', options);
      runs.add(firstExecutionRunId);
      return firstExecutionRunId;
    },
    progress: () => workflow.query<Refreshing | null>('progress'),
    status: async (runId?: string) => (await client.workflow.getHandle(workflowId, runId).describe()).status.name,
  };
}

describe('a refresh of many', () => {
  it('takes one page after the other until none is left, and says how far it is', async () => {
    const { start, open, workflow, asked, progress, status } = await run(async (calls, gate) => {
      if (calls === 2) await gate;
      return tried(calls + 1, 3);
    });
    await start();
    await expect.poll(progress).toEqual(tried(2, 3));
    open();
    expect(await workflow.result()).toEqual(tried(3, 3));
    expect(await status()).toBe('COMPLETED');
    expect(asked).toEqual([7, 7, 7]);
  });

  it('is started once, however often that is asked for, and again if it was lost', async () => {
    const { start, open, workflow } = await run(async (calls, gate) => {
      if (calls > 0) await gate;
      return tried(Math.min(calls + 1, 5));
    });
    const first = await start();
    expect(await start()).toBe(first);
    await workflow.terminate('a test');
    expect(await start()).not.toBe(first);
    open();
    expect(await workflow.result()).toEqual(tried(5));
  });

  it('continues as new after its pages, with its progress', async () => {
    const { startWith, open, workflow, progress, status } = await run(async (calls, gate) => {
      if (calls === 2) await gate;
      return tried(calls + 1);
    });
    const first = await startWith(2);
    await expect.poll(() => status(first)).toBe('CONTINUED_AS_NEW');
    expect(await progress()).toEqual(tried(2));
    open();
    expect(await workflow.result()).toEqual(tried(5));
  });

  it('tries a page again that failed', async () => {
    const { start, workflow } = await run(async (calls) => {
      if (calls === 1) throw new Error('Temporal is away');
      return tried(calls, 2);
    });
    await start();
    expect(await workflow.result()).toEqual(tried(2, 2));
  });

  it('says so to its record if it is canceled in Temporal', async () => {
    const { start, workflow, canceled, progress, status } = await run(async (calls, gate) => {
      if (calls > 0) await gate;
      return tried(calls + 1);
    });
    await start();
    await expect.poll(progress).toEqual(tried(1));
    await workflow.cancel();
    await expect.poll(() => status()).toBe('CANCELLED');
    expect(canceled).toEqual([7]);
  });
});
