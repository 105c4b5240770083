import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type proto from '@temporalio/proto';
import { describe, expect, it } from 'vitest';
import type { SubjectView } from '../../src/domain/lifecycle/standing.ts';
import { acknowledge, advanced, needed, recorded } from './outcomes.ts';
import { createGate, useRunner } from './run-subject.ts';

type WorkflowMetadata = proto.temporal.api.sdk.v1.IWorkflowMetadata;

const runner = useRunner();

describe('a refresh', () => {
  it('is answered with the retrieved state', async () => {
    const run = runner.begin({ advance: ({ refresh }) => advanced({ revision: refresh ? 2 : 1 }) });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    expect(await run.workflow.executeUpdate('refresh')).toMatchObject({ lifecycle: { revision: 2 } });
    expect(run.calls.advance.map(({ input }) => input.refresh)).toEqual([false, true]);
  });

  it('is not answered before a regular retrieval is recorded', async () => {
    const gate = createGate();
    const run = runner.begin({
      advance: (_, calls) => (calls === 0 ? advanced() : needed),
      retrieve: () => gate.opened.then(() => advanced({ revision: 2 })),
    });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    const update = await run.workflow.startUpdate('refresh', { waitForStage: 'ACCEPTED' });
    await expect.poll(() => run.calls.retrieve.length).toBe(1);
    const asked = { subject: run.subject, known: 1, announce: true, busy: [], refresh: true, wasTried: false };
    expect(run.calls.retrieve[0]?.input).toEqual(asked);
    const answered = async () =>
      (await run.history()).some((event) => event.workflowExecutionUpdateCompletedEventAttributes);
    expect(await answered()).toBe(false);
    gate.open();
    expect(await update.result()).toMatchObject({ lifecycle: { revision: 2 } });
  });

  it('during a retrieval leads to another one', async () => {
    const gate = createGate();
    const run = runner.begin({
      advance: (_, calls) => (calls === 0 ? needed : advanced({ revision: calls + 1 })),
      retrieve: () => gate.opened.then(() => advanced()),
    });
    await run.wake();
    await expect.poll(() => run.calls.retrieve.length).toBe(1);
    const updates = await Promise.all(
      [1, 2].map(() => run.workflow.startUpdate('refresh', { waitForStage: 'ACCEPTED' })),
    );
    gate.open();
    const views = await Promise.all(updates.map((update) => update.result()));
    expect(views).toMatchObject([{ lifecycle: { revision: 2 } }, { lifecycle: { revision: 2 } }]);
    expect(run.calls.advance).toHaveLength(2);
  });

  it.each([
    ['between two attempts', 0],
    ['while the warehouse asks to wait', 3_600_000],
  ])('%s ends the wait', async (_, waitMs) => {
    const tried = { reason: 'getOrder: 503', calls: [], waitMs };
    const run = runner.begin({
      advance: ({ refresh }) => (refresh ? advanced({ revision: 2 }) : { ...needed, tried }),
      retrieve: () => Promise.reject(ApplicationFailure.create({ message: '503', nextRetryDelay: '1 hour' })),
    });
    await run.wake();
    await expect
      .poll(async () =>
        (await run.history()).some((it) => it.activityTaskScheduledEventAttributes ?? it.timerStartedEventAttributes),
      )
      .toBe(true);
    expect(await run.workflow.executeUpdate('refresh')).toMatchObject({ lifecycle: { revision: 2 } });
  });

  it('interrupts the grace period', async () => {
    const run = runner.begin({ advance: (_, calls) => advanced({ revision: calls + 1, isOver: true }) });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    expect(await run.workflow.executeUpdate('refresh')).toMatchObject({ lifecycle: { revision: 2 } });
  });

  it('of a subject that cannot be retrieved is rejected and leaves no trace', async () => {
    const run = runner.begin({ advance: () => advanced() }, { kind: 'hold' });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    const refresh = run.workflow.executeUpdate('refresh').catch((error: unknown) => error);
    const error = await refresh;
    expect(error).toBeInstanceOf(WorkflowUpdateFailedError);
    expect((error as WorkflowUpdateFailedError).cause?.message).toBe('no operation returns a hold');
    const history = await run.history();
    expect(history.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toEqual([]);
    expect(run.calls.advance).toHaveLength(1);
  });
});

describe('a release', () => {
  it('is recorded and clears the marks for attention', async () => {
    const run = runner.begin({
      advance: () => advanced({ attention: ['refused', 'unannounced'] }),
      record: () => recorded({ revision: 2 }, { lines: ['- released'], announce: { default: ['a'] } }),
      announce: ({ ids }) => ({ results: ids.map(acknowledge), refused: [] }),
    });
    await run.wake();
    await expect.poll(async () => (await run.view()).attention).toHaveLength(2);
    expect(await run.workflow.executeUpdate<SubjectView, [string]>('release', { args: ['ada'] })).toMatchObject({
      attention: [],
      lifecycle: { revision: 2 },
    });
    expect(run.calls.record).toEqual([
      { on: 'local', input: { subject: run.subject, known: 1, eventIds: [], release: true, releasedBy: 'ada' } },
    ]);
    await expect.poll(() => run.calls.announce.length).toBe(1);
    expect(await run.timeline()).toContain('- released');
    const { typedSearchAttributes } = await run.workflow.describe();
    expect(typedSearchAttributes.getAll().map(({ key }) => key.name)).not.toContain('Attention');
  });

  it('is recorded by a regular activity if recording inline fails', async () => {
    const run = runner.begin({
      advance: () => advanced(),
      record: (_, calls) => (calls === 0 ? Promise.reject(new Error('away')) : recorded({ revision: 2 })),
    });
    await run.wake();
    expect(await run.workflow.executeUpdate('release')).toMatchObject({ lifecycle: { revision: 2 } });
    expect(run.calls.record.map(({ on }) => on)).toEqual(['local', 'workflows']);
  });
});

describe('an update', () => {
  it.each(['refresh', 'release'])('%s ignores unexpected arguments', async (name) => {
    const run = runner.begin({ advance: () => advanced(), record: () => recorded() });
    await run.wake();
    const args: [null, string, object] = [null, 'x', { y: [1] }];
    expect(await run.workflow.executeUpdate<SubjectView, typeof args>(name, { args })).toMatchObject({
      stage: 'created',
    });
  });
});

describe('a person in the Temporal UI', () => {
  it('reads what each message does, and asks where the subject stands', async () => {
    const run = runner.begin({ advance: () => advanced({ reached: ['created'] }) });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    expect(await run.workflow.query('standing')).toMatchObject({ stage: 'created', reached: ['created'] });
    const { definition } = await run.workflow.query<WorkflowMetadata>('__temporal_workflow_metadata');
    const own = [
      ...(definition?.queryDefinitions ?? []),
      ...(definition?.signalDefinitions ?? []),
      ...(definition?.updateDefinitions ?? []),
    ].filter(({ name }) => name && !name.startsWith('__'));
    expect(own.map(({ name }) => name).toSorted()).toEqual([
      'events',
      'lifecycle',
      'refresh',
      'release',
      'standing',
      'timeline',
      'undoRelease',
    ]);
    expect(own.filter(({ description }) => !description)).toEqual([]);
  });
});
