import { describe, expect, it } from 'vitest';
import type { RecordInput } from '../../activities/decide.ts';
import { advanced, needed, recorded } from './outcomes.ts';
import { createGate, type RunSubject, timersOf, useRunner } from './run-subject.ts';

const runner = useRunner();

const HOUR_MS = 3_600_000;
const attentionOf = async (run: RunSubject) => (await run.view()).attention;
const isStalled = { isStalled: true, attention: ['stalled'] } as const;

/** Fakes of an order that stalls when its limit is exceeded, with the next revision. */
function createFakes(stageSince = Date.now()) {
  let revision = 1;
  return {
    advance: () => advanced({ revision, stageSince, ...(revision > 1 && isStalled) }),
    record(_input: RecordInput) {
      revision = 2;
      return recorded({ revision, stageSince, ...isStalled });
    },
  };
}

describe('a stage that exceeds its limit', () => {
  it('is recorded as overdue, once', async () => {
    const stageSince = Date.now();
    const run = runner.begin(createFakes(stageSince), { settings: { stageLimitsMs: { created: 300 } } });
    await run.wake();
    await expect.poll(() => attentionOf(run)).toEqual(['stalled']);
    expect(Date.now() - stageSince).toBeGreaterThanOrEqual(300);
    const overdue = { stage: 'created', since: stageSince };
    expect(run.calls.record).toEqual([
      { on: 'local', input: { subject: run.subject, known: 1, eventIds: [], overdue } },
    ]);
    await run.wake(['OrderUpdate'], { stageLimitsMs: { created: 1 } });
    await expect.poll(() => run.calls.advance.length).toBe(2);
    expect(await attentionOf(run)).toEqual(['stalled']);
    expect(run.calls.record).toHaveLength(1);
  });

  it('is overdue immediately if the limit ended long ago', async () => {
    const run = runner.begin(createFakes(Date.now() - HOUR_MS), { settings: { stageLimitsMs: { created: 300 } } });
    await run.wake();
    await expect.poll(() => attentionOf(run)).toEqual(['stalled']);
    expect(await timersOf(run)).toEqual([{ ms: 1, summary: 'stage limit: created' }]);
  });

  it('is detected while a retrieval is being retried', async () => {
    const gate = createGate();
    const run = runner.begin({
      ...createFakes(),
      advance: (_, calls) => (calls === 0 ? advanced({ stageSince: 5 }) : needed),
      async retrieve() {
        await gate.opened;
        throw new Error('GET /orders/1 answered 503');
      },
    });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    await run.wake();
    await expect.poll(() => run.calls.retrieve.length).toBe(1);
    await run.wake(['OrderUpdate'], { stageLimitsMs: { created: 1 } });
    await expect.poll(() => attentionOf(run)).toEqual(['stalled']);
  });

  it('is measured by the current limit, which a wake brings', async () => {
    const run = runner.begin(createFakes(), { settings: { stageLimitsMs: { created: HOUR_MS } } });
    await run.wake();
    await expect.poll(() => run.calls.advance.length).toBe(1);
    await run.wake(['OrderUpdate'], { stageLimitsMs: { created: 1 } });
    await expect.poll(() => attentionOf(run)).toEqual(['stalled']);
  });

  it.each([
    ['short', { '418:created': 1, created: HOUR_MS }, 1],
    ['long', { '418:created': HOUR_MS, created: 1 }, HOUR_MS],
    ['of another customer', { '419:created': 1, created: HOUR_MS }, HOUR_MS],
  ])('is measured by the limit of its customer first: %s', async (_, stageLimitsMs, limitMs) => {
    const stageSince = Date.now();
    const run = runner.begin(
      {
        ...createFakes(),
        advance: () => advanced({ stageSince, snapshot: { customerId: '418' } }),
      },
      { settings: { stageLimitsMs } },
    );
    await run.wake();
    await expect.poll(async () => (await timersOf(run)).length).toBe(1);
    const [timer] = await timersOf(run);
    expect(timer?.ms).toBeLessThanOrEqual(limitMs);
    expect(timer?.ms).toBeGreaterThan(limitMs - 30_000);
  });

  it('restarts in the next stage', async () => {
    const run = runner.begin(
      {
        advance: (_, calls) => advanced(calls === 0 ? {} : { revision: 2, stage: 'picked', stageSince: 1 }),
        record: () => recorded({ revision: 3, stage: 'picked', stageSince: 1, ...isStalled }),
      },
      { settings: { stageLimitsMs: { created: HOUR_MS, picked: 5 } } },
    );
    await run.wake();
    await expect.poll(() => run.calls.advance.length).toBe(1);
    await run.wake();
    await expect.poll(() => attentionOf(run)).toEqual(['stalled']);
    expect(run.calls.record[0]?.input.overdue).toEqual({ stage: 'picked', since: 1 });
  });

  it('is not recorded repeatedly if the store disagrees', async () => {
    const run = runner.begin(
      { ...createFakes(1), record: () => recorded({ revision: 1, stageSince: 1 }) },
      { settings: { stageLimitsMs: { created: 1 } } },
    );
    await run.wake();
    await expect.poll(() => run.calls.record.length).toBe(1);
    await run.wake();
    await expect.poll(() => run.calls.advance.length).toBe(2);
    expect(await run.revision()).toBe(1);
    expect(run.calls.record).toHaveLength(1);
    expect(await timersOf(run)).toHaveLength(1);
  });
});
