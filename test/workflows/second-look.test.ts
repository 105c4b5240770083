import { describe, expect, it } from 'vitest';
import { advanced, needed } from './outcomes.ts';
import { createGate, type RunSubject, timersOf, useRunner } from './run-subject.ts';

const runner = useRunner();

const HOUR_MS = 3_600_000;
const summariesOf = async (run: RunSubject) => (await timersOf(run)).map(({ summary }) => summary);
const refreshesOf = (run: RunSubject) => run.calls.advance.map(({ input }) => input.refresh);

/** Advances to a subject that is to be looked at again for the given number of times. */
const lookAgain =
  (times: number, lookAgainAt = Date.now()) =>
  (_: unknown, calls: number) =>
    advanced(calls < times ? { lookAgainAt } : {});

describe('a second look', () => {
  it('fetches the subject when its time has come, once', async () => {
    const lookAgainAt = Date.now() + 1500;
    const run = runner.begin({ advance: lookAgain(1, lookAgainAt) });
    await run.wake();
    await expect.poll(() => refreshesOf(run)).toEqual([false, true]);
    expect(Date.now()).toBeGreaterThanOrEqual(lookAgainAt);
    await run.wake();
    await expect.poll(() => refreshesOf(run)).toEqual([false, true, false]);
    expect(await summariesOf(run)).toEqual(['recheck at the warehouse']);
  });

  it('is repeated while the store asks for it, at intervals of at least a second', async () => {
    const run = runner.begin({ advance: lookAgain(2, 1) });
    await run.wake();
    await expect.poll(() => refreshesOf(run)).toEqual([false, true, true]);
    expect((await timersOf(run)).map(({ ms }) => ms)).toEqual([1000, 1000]);
  });

  it('waits no longer once an event has made it needless', async () => {
    const run = runner.begin({ advance: lookAgain(1, Date.now() + HOUR_MS) });
    await run.wake();
    await expect.poll(() => summariesOf(run)).toEqual(['recheck at the warehouse']);
    await run.wake();
    const canceled = async () => (await run.history()).filter((event) => event.timerCanceledEventAttributes);
    await expect.poll(async () => (await canceled()).length).toBe(1);
    expect(refreshesOf(run)).toEqual([false, false]);
  });

  it('is retried as any retrieval is', async () => {
    const gate = createGate();
    const run = runner.begin({
      advance: (input, calls) => (input.refresh ? needed : lookAgain(1)(input, calls)),
      retrieve: () => gate.opened.then(() => advanced()),
    });
    await run.wake();
    await expect.poll(() => run.calls.retrieve.map(({ input }) => input.refresh)).toEqual([true]);
  });

  it('of a subject that is over comes before its grace period', async () => {
    const run = runner.begin(
      { advance: (_, calls) => advanced({ isOver: true, ...(calls === 0 && { lookAgainAt: 1 }) }) },
      { settings: { gracePeriodMs: 5 } },
    );
    await run.wake();
    await expect.poll(() => run.status()).toBe('COMPLETED');
    expect(await summariesOf(run)).toEqual(['recheck at the warehouse', 'end, unless something follows']);
    expect(refreshesOf(run)).toEqual([false, true]);
  });

  it('is waited for in the next run, if the workflow continues as new before it', async () => {
    const lookAgainAt = (calls: number) => Date.now() + (calls === 0 ? HOUR_MS : 0);
    const run = runner.begin(
      { advance: (input, calls) => lookAgain(2, lookAgainAt(calls))(input, calls) },
      { settings: { signalsPerRun: 2 } },
    );
    const first = await run.wake();
    await expect.poll(() => run.calls.advance.length).toBe(1);
    await run.wake();
    await expect.poll(() => run.status(first)).toBe('CONTINUED_AS_NEW');
    await expect.poll(() => refreshesOf(run)).toEqual([false, false, true]);
    expect(await run.status()).toBe('RUNNING');
    expect(await summariesOf(run)).toEqual(['recheck at the warehouse']);
  });
});
