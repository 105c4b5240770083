import { describe, expect, it } from 'vitest';
import type { Announced } from '../../activities/announce.ts';
import { acknowledge, acknowledged, advanced, recorded, standing } from './outcomes.ts';
import { createGate, type Fakes, type RunSubject, timersOf, useRunner } from './run-subject.ts';

const runner = useRunner();

const announcementsOf = async (run: RunSubject) => (await run.view()).waiting.announcements;
const announced = ({ calls }: RunSubject) => calls.announce.map(({ on, input: { ids, each } }) => ({ on, ids, each }));

/** Begins a subject that is over: its grace period has ended, and its announcement is in progress. */
async function beginOver(advance: Fakes['advance']) {
  const gate = createGate();
  const run = runner.begin(
    {
      advance,
      async announce(input) {
        await gate.opened;
        return acknowledged(input);
      },
    },
    { settings: { gracePeriodMs: 1 } },
  );
  await run.wake();
  const isQuiet = async () => (await run.history()).some((event) => event.timerFiredEventAttributes);
  await expect.poll(isQuiet).toBe(true);
  return { run, gate };
}

describe('announcements', () => {
  it('that were sent inline are noted and not sent again', async () => {
    const results = [acknowledge('order:1:1/1/created')];
    const run = runner.begin({
      advance: () => ({
        recorded: recorded({}, { announce: { default: ['order:1:1/1/created'] } }),
        announced: { default: { results, refused: [], left: [] } },
        calls: [],
      }),
    });
    await run.wake();
    await expect.poll(() => run.timeline()).toContain('announced 1/created 204 (3 ms)');
    expect(await announcementsOf(run)).toBe(0);
    expect(run.calls.announce).toEqual([]);
  });

  it('that are left are sent in order, and later ones with the next call', async () => {
    const gate = createGate();
    const run = runner.begin({
      advance: (_, calls) =>
        advanced({ revision: calls + 1 }, { announce: { default: calls === 0 ? ['a', 'b'] : ['b', 'c', 'd'] } }),
      async announce(input) {
        await gate.opened;
        return acknowledged(input);
      },
    });
    await run.wake();
    await expect.poll(() => run.calls.announce.length).toBe(1);
    await run.wake();
    await expect.poll(() => announcementsOf(run)).toBe(4);
    gate.open();
    await expect.poll(() => announcementsOf(run)).toBe(0);
    expect(announced(run)).toEqual([
      { on: 'announce', ids: ['a', 'b'], each: false },
      { on: 'announce', ids: ['c', 'd'], each: false },
    ]);
    const busy = run.calls.advance.map(({ input }) => input.busy);
    expect(busy, 'nothing is sent inline before earlier announcements').toEqual([[], ['default']]);
  });

  it('that are left wait for as long as the destination asked', async () => {
    const run = runner.begin({
      advance: () => ({
        recorded: recorded({}, { announce: { default: ['a'] } }),
        announced: { default: { results: [], refused: [], left: ['a'], waitMs: 50 } },
        calls: [],
      }),
      announce: acknowledged,
    });
    await run.wake();
    await expect.poll(() => run.calls.announce.length).toBe(1);
    expect(await timersOf(run)).toContainEqual({ ms: 50, summary: 'the destination asked to wait' });
  });

  it('are sent in batches of a hundred', async () => {
    const announce = Array.from({ length: 250 }, (_, index) => String(index));
    const run = runner.begin({
      advance: () => advanced({}, { announce: { default: announce } }),
      announce: acknowledged,
    });
    await run.wake();
    await expect.poll(() => run.calls.announce.length).toBe(3);
    expect(run.calls.announce.flatMap(({ input }) => input.ids)).toEqual(announce);
    expect(run.calls.announce.map(({ input }) => input.ids.length)).toEqual([100, 100, 50]);
  });

  it('that are refused are retried one by one, beside the others', async () => {
    const gate = createGate();
    const run = runner.begin({
      advance: (_, calls) =>
        calls > 0
          ? advanced({ revision: 2 }, { announce: { default: ['d'] } })
          : {
              recorded: recorded({}, { announce: { default: ['a', 'b', 'c'] } }),
              announced: { default: { results: [], refused: ['a'], left: ['b', 'c'] } },
              calls: [],
            },
      async announce({ ids, each }): Promise<Announced> {
        if (each) await gate.opened;
        const refused = ids.filter((id) => id === 'b' && !each);
        return { results: ids.filter((id) => each || id !== 'b').map(acknowledge), refused };
      },
    });
    await run.wake();
    await expect.poll(() => announcementsOf(run)).toBe(2);
    await run.wake();
    await expect.poll(() => run.calls.announce.length).toBe(3);
    gate.open();
    await expect.poll(() => announcementsOf(run)).toBe(0);
    const byItself = announced(run).filter(({ each }) => each);
    const inOrder = announced(run).filter(({ each }) => !each);
    expect(inOrder.map(({ ids }) => ids)).toEqual([['b', 'c'], ['d']]);
    expect(byItself.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
  });

  it('that are dead-lettered mark the subject', async () => {
    const deadLettered = { ...acknowledge('order:1:1/1/created'), status: 503, deadLettered: 'answered 503' };
    const run = runner.begin({
      advance: () => advanced({ attention: ['refused'] }, { announce: { default: [deadLettered.id] } }),
      announce: () => ({ results: [deadLettered], refused: [] }),
    });
    await run.wake();
    await expect.poll(async () => (await run.view()).attention).toEqual(['refused', 'unannounced']);
    expect(await run.timeline()).toContain('**dead-lettered** 1/created · answered 503');
    expect(await announcementsOf(run)).toBe(0);
  });

  it('that hang hold up neither recording nor the limit of the stage', async () => {
    const gate = createGate();
    const run = runner.begin({
      advance: (_, calls) => advanced({ revision: calls + 1, stageSince: 1 }, { announce: { default: ['a'] } }),
      record: () => recorded({ revision: 3, stageSince: 1, isStalled: true, attention: ['stalled'] }),
      async announce(input) {
        await gate.opened;
        return acknowledged(input);
      },
    });
    await run.wake();
    await expect.poll(() => run.calls.announce.length).toBe(1);
    await run.wake(['OrderUpdate'], { stageLimitsMs: { created: 1 } });
    await expect.poll(async () => (await run.view()).attention).toEqual(['stalled']);
    expect(run.calls.advance).toHaveLength(2);
    expect(await announcementsOf(run)).toBe(1);
  });

  it('complete before the workflow of a closed subject does, which still follows a wake', async () => {
    const { run, gate } = await beginOver((_, calls) =>
      advanced({ revision: calls + 1, isOver: true }, { announce: { default: ['a'] } }),
    );
    await run.wake();
    await expect.poll(() => run.calls.advance.length).toBe(2);
    gate.open();
    await expect.poll(() => run.status()).toBe('COMPLETED');
    expect(run.calls.announce).toHaveLength(1);
  });

  it('that an older result repeats are sent once, and the newer result counts', async () => {
    const gate = createGate();
    const run = runner.begin({
      advance: () => advanced(),
      async record({ undoRelease }, calls) {
        if (undoRelease) return { ...recorded({ revision: 3 }), announce: { default: ['a', 'b'] } };
        if (calls === 0) throw new Error('the store is away');
        await gate.opened;
        return { ...recorded(), standing: standing({ revision: 2, stage: 'picked' }), announce: { default: ['a'] } };
      },
      announce: acknowledged,
    });
    await run.wake();
    const released = run.workflow.executeUpdate('release');
    await expect.poll(() => run.calls.record.map(({ on }) => on)).toEqual(['local', 'workflows']);
    await run.workflow.executeUpdate('undoRelease');
    gate.open();
    await released;
    await expect.poll(() => announcementsOf(run)).toBe(0);
    expect(await run.revision()).toBe(3);
  });
});
