import { describe, expect, it } from 'vitest';
import { advanced, needed, recorded } from './outcomes.ts';
import { createGate, timersOf, useRunner } from './run-subject.ts';

const runner = useRunner();

const HOUR_MS = 3_600_000;

describe('a deadline', () => {
  it('costs one timer, and one task when it passes', async () => {
    const lateAt = Date.now() + 300;
    const run = runner.begin({
      advance: () => advanced({ revision: 1, dueAt: lateAt, lateAt }),
      record: () => recorded({ revision: 2, dueAt: lateAt, lateness: 'overdue' }),
    });
    await run.wake();
    await expect.poll(() => run.calls.record.length).toBe(1);
    expect(Date.now()).toBeGreaterThanOrEqual(lateAt);
    expect(run.calls.record).toEqual([{ on: 'local', input: { subject: run.subject, known: 1, eventIds: [] } }]);
    await expect.poll(() => run.revision()).toBe(2);
    expect((await timersOf(run)).map(({ summary }) => summary)).toEqual(['deadline']);
  });

  it('that passed while nobody worked is recorded at once, and so is one that passes while a GET is retried', async () => {
    const gate = createGate();
    const run = runner.begin({
      advance: (_, calls) => (calls === 0 ? advanced({ revision: 1, lateAt: Date.now() - HOUR_MS }) : needed),
      async retrieve() {
        await gate.opened;
        throw new Error('GET /orders/1 answered 503');
      },
      record: (_, calls) => recorded({ revision: calls + 2, lateness: 'overdue' }),
    });
    await run.wake();
    await expect.poll(() => run.calls.record.length).toBe(1);
    expect(await timersOf(run)).toEqual([{ ms: 1, summary: 'deadline' }]);
  });

  it('that moves has its timer replaced', async () => {
    const run = runner.begin({
      advance: (_, calls) => advanced({ revision: calls + 1, lateAt: Date.now() + (calls + 1) * HOUR_MS }),
    });
    await run.wake();
    await expect.poll(async () => (await timersOf(run)).length).toBe(1);
    await run.wake();
    await expect.poll(async () => (await timersOf(run)).length).toBe(2);
    expect((await run.history()).filter((event) => event.timerCanceledEventAttributes)).toHaveLength(1);
  });

  it('that the store does not see yet is asked for again a little later', async () => {
    const lateAt = 1;
    const run = runner.begin({
      advance: () => advanced({ revision: 1, lateAt }),
      record: () => recorded({ revision: 1, lateAt }),
    });
    await run.wake();
    await expect.poll(async () => (await timersOf(run)).length).toBe(2);
    expect((await timersOf(run)).map(({ ms }) => ms)).toEqual([1, 10_000]);
    expect(run.calls.record).toHaveLength(1);
  });
});
