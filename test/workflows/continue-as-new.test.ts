import { cancelled, heartbeat } from '@temporalio/activity';
import { describe, expect, it } from 'vitest';
import type { AnnounceInput } from '../../activities/announce.ts';
import { acknowledged, advanced, recorded } from './outcomes.ts';
import { createGate, hasAskedToCancel, type RunSubject, useRunner } from './run-subject.ts';

const runner = useRunner();

const settings = { signalsPerRun: 3 };

/** Wakes a run until it is about to continue as new while an announcement is in progress; returns its id. */
async function wakeUntilItEnds(run: RunSubject): Promise<string> {
  const first = await run.wake();
  await expect.poll(() => run.calls.announce.length).toBe(1);
  await run.wake();
  await run.wake();
  await expect.poll(() => hasAskedToCancel(run, first)).toBe(true);
  return first;
}

/** Creates a slow destination that counts its concurrent calls. */
function createDestination() {
  const gate = createGate();
  const underWay = { now: 0, most: 0 };
  return {
    underWay,
    open: gate.open,
    async announce(input: AnnounceInput) {
      underWay.now += 1;
      underWay.most = Math.max(underWay.most, underWay.now);
      await gate.opened;
      underWay.now -= 1;
      return acknowledged(input);
    },
  };
}

describe('a run that has received its limit of signals', () => {
  it('hands over its state, and the next run follows the last wake', async () => {
    const snapshot = { customerId: '418', referenceNumber: 'R-17' };
    const run = runner.begin(
      {
        advance: (_, calls) =>
          calls < 2
            ? advanced({ revision: calls + 1, stageSince: 9, snapshot }, { lines: [`- line ${calls}`] })
            : Promise.reject(new Error('the store is away')),
        retrieve: () => createGate().opened.then(() => advanced()),
      },
      { settings },
    );
    const first = await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    await run.wake();
    await expect.poll(() => run.revision()).toBe(2);
    await run.wake(['OrderUpdate'], { gracePeriodMs: 5 });
    await expect.poll(() => run.calls.retrieve.length).toBe(1);

    expect(await run.status(first)).toBe('CONTINUED_AS_NEW');
    expect(run.calls.advance.map(({ input }) => input.known)).toEqual([null, 1, 2]);
    expect(await run.view()).toMatchObject({ stageSince: 9, lifecycle: { revision: 2, snapshot } });
    expect(await run.timeline()).toBe('- line 0\n- line 1');
    const { typedSearchAttributes, memo } = await run.workflow.describe();
    expect(Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]))).toMatchObject(
      { Stage: 'created', Customer: '418', ReferenceNumber: 'R-17' },
    );
    expect(memo).toMatchObject({ reference: 'R-17', kind: 'order' });
  });

  it('is idle in the next run if nothing is left to do', async () => {
    const run = runner.begin({ advance: (_, calls) => advanced({ revision: calls + 1 }) }, { settings });
    const first = await run.wake();
    for (let i = 0; i < 9; i += 1) await run.wake();
    await expect.poll(() => run.status(first)).toBe('CONTINUED_AS_NEW');
    const runs = new Set([first, await run.wake([], { signalsPerRun: 1000 })]);
    await expect.poll(async () => (await run.view()).waiting.events).toBe(0);
    expect(runs.size).toBe(2);
    expect(await run.status()).toBe('RUNNING');
  });

  it('waits for an announcement in progress, which is not sent twice', async () => {
    const destination = createDestination();
    const run = runner.begin(
      {
        advance: (_, calls) =>
          advanced({ revision: calls + 1 }, { announce: { default: calls === 0 ? ['a', 'b'] : [] } }),
        announce: destination.announce,
      },
      { settings },
    );
    const first = await wakeUntilItEnds(run);
    expect(await run.status(first)).toBe('RUNNING');
    destination.open();
    await expect.poll(() => run.status(first)).toBe('CONTINUED_AS_NEW');
    await expect.poll(async () => (await run.view()).waiting.announcements).toBe(0);
    expect(run.calls.announce.map(({ input }) => input.ids)).toEqual([['a', 'b']]);
    expect(destination.underWay.most).toBe(1);
    expect(await run.timeline()).toContain('announced');
  });

  it('answers a refresh at that moment, and the next run retrieves', async () => {
    const destination = createDestination();
    const run = runner.begin(
      {
        advance: ({ refresh }, calls) =>
          advanced({ revision: refresh ? 10 : calls + 1 }, { announce: { default: ['a'] } }),
        announce: destination.announce,
      },
      { settings },
    );
    const first = await wakeUntilItEnds(run);
    const known = await run.revision();
    expect(await run.workflow.executeUpdate('refresh')).toMatchObject({ lifecycle: { revision: known } });
    expect(await run.status(first)).toBe('RUNNING');
    destination.open();
    await expect.poll(() => run.status(first)).toBe('CONTINUED_AS_NEW');
    await expect.poll(() => run.revision()).toBe(10);
    expect(run.calls.advance.at(-1)?.input).toMatchObject({ refresh: true, known });
  });

  it('completes a release at that moment', async () => {
    const destination = createDestination();
    const run = runner.begin(
      {
        advance: () => advanced({ attention: ['refused'] }, { announce: { default: ['a'] } }),
        announce: destination.announce,
        record: () => recorded({ revision: 2 }),
      },
      { settings },
    );
    const first = await wakeUntilItEnds(run);
    expect(await run.workflow.executeUpdate('release')).toMatchObject({ attention: [], lifecycle: { revision: 2 } });
    destination.open();
    await expect.poll(() => run.status(first)).toBe('CONTINUED_AS_NEW');
    expect(run.calls.record.map(({ input }) => input)).toEqual([
      { subject: run.subject, known: 1, eventIds: [], release: true, releasedBy: 'an update of the workflow' },
    ]);
  });

  it('leaves interrupted and refused announcements to the next run', async () => {
    const run = runner.begin(
      {
        advance: (_, calls) =>
          calls > 0
            ? advanced({ revision: 2 })
            : {
                recorded: recorded({}, { announce: { default: ['a', 'b', 'c'] } }),
                announced: { default: { results: [], refused: ['a'], left: ['b', 'c'] } },
                calls: [],
              },
        announce: (input, calls) => (calls < 2 ? breakOff() : acknowledged(input)),
      },
      { settings },
    );
    const first = await run.wake();
    await expect.poll(() => run.calls.announce.length).toBe(2);
    for (let i = 0; i < 2; i += 1) await run.wake();
    await expect.poll(() => run.status(first)).toBe('CONTINUED_AS_NEW');
    await expect.poll(async () => (await run.view()).waiting.announcements).toBe(0);
    const sent = run.calls.announce.map(({ input: { ids, each } }) => JSON.stringify({ ids, each }));
    const [inOrder, byItself] = [
      { ids: ['b', 'c'], each: false },
      { ids: ['a'], each: true },
    ].map((call) => JSON.stringify(call));
    expect(sent.slice(0, 2).sort()).toEqual([byItself, inOrder].sort());
    expect(sent.slice(2).sort()).toEqual([byItself, inOrder].sort());
  });

  it('does not wait for the next attempt at a failing announcement', async () => {
    const run = runner.begin(
      {
        advance: () => advanced({}, { announce: { default: ['a'] } }),
        announce(input, calls) {
          if (calls === 0) throw new Error('answered 503');
          return acknowledged(input);
        },
      },
      { settings },
    );
    const first = await run.wake();
    await expect.poll(() => run.calls.announce.length).toBe(1);
    await run.wake();
    await run.wake();
    await expect.poll(() => run.status(first)).toBe('CONTINUED_AS_NEW');
    await expect.poll(() => run.calls.announce.length).toBe(2);
    expect(run.calls.announce[1]).toEqual(run.calls.announce[0]);
  });
});

/** Announces nothing until it is canceled. */
async function breakOff(): Promise<never> {
  const beats = setInterval(() => heartbeat(), 50);
  try {
    await cancelled();
  } finally {
    clearInterval(beats);
  }
  throw new Error('unreachable');
}
