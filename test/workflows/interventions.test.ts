import { WorkflowUpdateFailedError } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { acknowledged, advanced, needed } from './outcomes.ts';
import { createGate, hasAskedToCancel, type RunSubject, useRunner } from './run-subject.ts';

const runner = useRunner();

const knownOf = ({ calls }: RunSubject) => calls.advance.map(({ input }) => input.known);

/** Cancels a workflow while its announcement is in progress. */
async function cancelWhileAnnouncing() {
  const gate = createGate();
  const run = runner.begin({
    advance: () => advanced({}, { announce: { default: ['a'] } }),
    announce: (input) => gate.opened.then(() => acknowledged(input)),
  });
  const first = await run.wake();
  await expect.poll(() => run.calls.announce.length).toBe(1);
  await run.workflow.cancel();
  await expect.poll(() => hasAskedToCancel(run, first)).toBe(true);
  return { run, first, gate };
}

describe('a workflow that is canceled', () => {
  it('ends as canceled, and a wake starts a run without state', async () => {
    const run = runner.begin({ advance: (_, calls) => advanced({ revision: calls + 1 }) });
    const first = await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    await run.workflow.cancel();
    await expect.poll(() => run.status(first)).toBe('CANCELLED');
    await run.wake();
    await expect.poll(() => run.revision()).toBe(2);
    expect(knownOf(run)).toEqual([null, null]);
  });

  it('ends during the grace period and while a limit is watched', async () => {
    const run = runner.begin(
      { advance: () => advanced({ isOver: true }) },
      { settings: { stageLimitsMs: { created: 3_600_000 } } },
    );
    const first = await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    await run.workflow.cancel();
    await expect.poll(() => run.status(first)).toBe('CANCELLED');
  });

  it('ends while a retrieval is being retried', async () => {
    const run = runner.begin({
      advance: () => needed,
      retrieve: () => Promise.reject(new Error('GET /orders/1 answered 503')),
    });
    const first = await run.wake();
    await expect.poll(() => run.calls.retrieve.length).toBe(1);
    await run.workflow.cancel();
    await expect.poll(() => run.status(first)).toBe('CANCELLED');
  });

  it('waits for the announcement in progress', async () => {
    const { run, first, gate } = await cancelWhileAnnouncing();
    expect(await run.status(first)).toBe('RUNNING');
    gate.open();
    await expect.poll(() => run.status(first)).toBe('CANCELLED');
    const completed = (await run.history(first)).filter((event) => event.activityTaskCompletedEventAttributes);
    expect(completed).toHaveLength(1);
  });

  it('rejects a refresh before it ends', async () => {
    const { run } = await cancelWhileAnnouncing();
    await expect(run.workflow.executeUpdate('refresh')).rejects.toThrow(WorkflowUpdateFailedError);
  });
});

describe('a workflow that is reset', () => {
  it.each<[string, 0 | -1, readonly (number | null)[]]>([
    ['first', 0, [null, 1, 2, null]],
    ['last', -1, [null, 1, 2, 2]],
  ])('to its %s task continues from there', async (_, index, known) => {
    const run = runner.begin({ advance: (_input, calls) => advanced({ revision: calls + 1 }) });
    await run.wake();
    for (const revision of [1, 2]) {
      await expect.poll(() => run.revision()).toBe(revision);
      await run.wake();
    }
    await expect.poll(() => run.revision()).toBe(3);
    // A task without a marker may follow the last one that advanced.
    const tasks = (await run.history()).flatMap(
      ({ markerRecordedEventAttributes: marker }) => marker?.workflowTaskCompletedEventId ?? [],
    );
    const second = await run.reset(tasks.at(index));
    await expect.poll(() => run.revision()).toBe(4);
    expect(await run.status(second)).toBe('RUNNING');
    expect(knownOf(run)).toEqual(known);
    await run.wake();
    await expect.poll(() => run.revision()).toBe(5);
  });
});
