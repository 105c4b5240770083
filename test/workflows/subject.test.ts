import { describe, expect, it } from 'vitest';
import type { Settings } from '../../workflows/messages.ts';
import { acknowledged, advanced, needed, recorded } from './outcomes.ts';
import { createGate, type Fakes, type RunSubject, useRunner } from './run-subject.ts';

const runner = useRunner();

/** Returns the current details, as the Temporal UI shows them. */
async function detailsOf({ workflow }: RunSubject): Promise<string | undefined> {
  const { currentDetails } = await workflow.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return currentDetails;
}

/** Returns the search attributes of Dockline. */
async function attributesOf({ workflow }: RunSubject): Promise<object> {
  const { typedSearchAttributes } = await workflow.describe();
  const pairs = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
  return Object.fromEntries(pairs.filter(([name]) => name !== 'BuildIds'));
}

describe('a wake', () => {
  it('leads to one advance, whose result is shown', async () => {
    const snapshot = {
      referenceNumber: 'R-17',
      customerId: '418',
      customerName: 'Acme',
      facilityId: '2',
      facilityName: 'North',
    };
    const progress = { lines: 3, picked: 2, packed: 1 };
    const lastEventTime = Date.UTC(2026, 1, 11);
    const outcome = { revision: 4, stage: 'picked', stageSince: 12, attention: ['refused'], lastEventTime } as const;
    const run = runner.begin({
      advance: () => advanced({ ...outcome, snapshot, progress }, { lines: ['- **picked**'] }),
    });
    await run.wake(['OrderPickComplete']);
    await expect.poll(() => run.revision()).toBe(4);

    expect(await run.view()).toEqual({
      stage: 'picked',
      stageSince: 12,
      attention: ['refused'],
      progress,
      lifecycle: { revision: 4, lastEventTime, snapshot },
      waiting: { events: 0, announcements: 0 },
    });
    expect(await run.timeline()).toBe('- **picked**');
    const facts = 'stage **picked** · **refused: needs attention** · revision 4 · Acme · North';
    const measures = '2 of 3 lines picked · 1 of 3 packed';
    expect(await detailsOf(run)).toBe(`### Order R-17\n${facts} · ${measures}\n\n- **picked**`);
    expect(await attributesOf(run)).toEqual({
      Stage: 'picked',
      Customer: '418',
      Facility: '2',
      ReferenceNumber: 'R-17',
      Attention: ['refused'],
      LastEventTime: new Date(lastEventTime),
    });
    const { memo } = await run.workflow.describe();
    expect(memo).toMatchObject({ reference: 'R-17', customer: 'Acme', facility: 'North', kind: 'order' });
    const input = {
      subject: run.subject,
      known: null,
      refresh: false,
      retrieve: true,
      announce: true,
      busy: [],
      lingerMs: 0,
    };
    expect(run.calls.advance).toEqual([{ on: 'local', input }]);
  });

  it('passes the known revision to the next advance, and search attributes without a value are removed', async () => {
    const run = runner.begin({
      advance: (_, calls) => advanced({ revision: 3 + calls, attention: calls === 0 ? ['stalled', 'refused'] : [] }),
    });
    await run.wake();
    await expect.poll(() => attributesOf(run)).toMatchObject({ Attention: ['stalled', 'refused'] });
    await run.wake();
    await expect.poll(() => attributesOf(run)).toEqual({ Stage: 'created' });
    expect(run.calls.advance.map(({ input }) => input.known)).toEqual([null, 3]);
  });

  it('keeps up to date only the search attributes that its settings name, and removes the others', async () => {
    const snapshot = { referenceNumber: 'R-17', customerId: '418' };
    const run = runner.begin({
      advance: (_, calls) => advanced({ revision: calls + 1, snapshot, lastEventTime: 1_770_000_000_000 + calls }),
    });
    const upserts = async () =>
      (await run.history()).filter((event) => event.upsertWorkflowSearchAttributesEventAttributes).length;
    await run.wake();
    await expect.poll(() => attributesOf(run)).toMatchObject({ Stage: 'created', ReferenceNumber: 'R-17' });
    await run.wake([], { searchAttributes: 'attention' });
    await expect.poll(() => attributesOf(run)).toEqual({ Customer: '418', ReferenceNumber: 'R-17' });
    const before = await upserts();
    await run.wake([], { searchAttributes: 'attention' });
    await expect.poll(() => run.revision()).toBe(3);
    expect(await upserts()).toBe(before);
    await run.wake([], { searchAttributes: 'none' });
    await expect.poll(() => attributesOf(run)).toEqual({});
  });

  it('writes the time of an event together with another search attribute only, unless its run is of an earlier version', async () => {
    const run = runner.begin({
      advance: (_, calls) =>
        advanced({
          revision: calls + 1,
          stage: calls < 3 ? 'created' : 'picked',
          lastEventTime: 1_770_000_000_000 + calls * 1000,
        }),
    });
    const timeAfter = async (revision: number, changes: Partial<Settings>) => {
      await run.wake([], changes);
      await expect.poll(() => run.revision()).toBe(revision);
      return Object.entries(await attributesOf(run)).flatMap(([name, value]) =>
        name === 'LastEventTime' ? +value : [],
      );
    };
    expect(await timeAfter(1, {})).toEqual([1_770_000_000_000]);
    expect(await timeAfter(2, {})).toEqual([1_770_000_001_000]);
    expect(await timeAfter(3, { eventTimeWithOthers: true })).toEqual([1_770_000_001_000]);
    expect(await timeAfter(4, { eventTimeWithOthers: true })).toEqual([1_770_000_003_000]);
  });

  it.each([1, 2, 30])('leads to one more advance if %i arrive during another', async (wakes) => {
    const gate = createGate();
    const run = runner.begin({
      async advance(_, calls) {
        if (calls === 0) await gate.opened;
        return advanced({ revision: calls + 1 });
      },
    });
    await run.wake();
    await expect.poll(() => run.calls.advance.length).toBe(1);
    for (let i = 0; i < wakes; i += 1) await run.wake([`Event${i}`]);
    gate.open();
    await expect.poll(() => run.revision()).toBe(2);
    expect(run.calls.advance).toHaveLength(2);
    expect((await run.view()).waiting.events).toBe(0);
  });

  it('is not needed if more events wait than were recorded', async () => {
    const run = runner.begin({
      advance: (_, calls) => advanced({ revision: calls + 1 }, { waiting: calls < 2 ? ['OrderUpdate'] : [] }),
    });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(3);
    await run.wake();
    await expect.poll(() => run.revision()).toBe(4);
    const lingered = run.calls.advance.map(({ input }) => input.lingerMs);
    expect(lingered, 'longer each time, and not at all once nothing waited').toEqual([0, 10, 20, 0]);
  });

  it('retrieves nothing inline if activities are regular', async () => {
    const run = runner.begin({ advance: () => advanced() }, { settings: { inline: false } });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    expect(run.calls.advance[0]?.input).toMatchObject({ retrieve: false, announce: false });
  });
});

describe('an incomplete advance', () => {
  const regularly = { retrieve: () => advanced({ revision: 2 }) };

  it.each<[string, Fakes['advance']]>([
    ['fails', () => Promise.reject(new Error('the store is away'))],
    ['hangs', () => createGate().opened.then(() => advanced())],
    ['leaves the warehouse to others', () => needed],
  ])('is followed by a regular activity if it %s', async (_, advance) => {
    const run = runner.begin({ advance, ...regularly });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(2);
    const input = { subject: run.subject, known: null, announce: true, busy: [], refresh: false, wasTried: false };
    expect(run.calls.retrieve).toEqual([{ on: 'warehouse', input }]);
    expect([run.calls.advance.length, run.calls.record.length]).toEqual([1, 0]);
  });

  it('is explained, and waits as long as the warehouse asks', async () => {
    const tried = { reason: 'getOrder: GET /orders/1 answered 429', calls: [], waitMs: 300 };
    const run = runner.begin({ ...regularly, advance: () => ({ ...needed, tried }) });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(2);
    expect(await run.timeline()).toContain('failed at first · getOrder: GET /orders/1 answered 429');
    const told = (await run.history()).flatMap((event) => {
      const { startToFireTimeout } = event.timerStartedEventAttributes ?? {};
      const { activityType } = event.activityTaskScheduledEventAttributes ?? {};
      return [startToFireTimeout?.nanos, event.timerFiredEventAttributes && 'fired', activityType?.name].filter(
        Boolean,
      );
    });
    expect(told).toEqual([300_000_000, 'fired', 'retrieve']);
  });

  it('is retrieved repeatedly until the warehouse answers', async () => {
    const run = runner.begin({
      advance: () => needed,
      retrieve(_, calls) {
        if (calls < 2) throw new Error('GET /orders/1 answered 503');
        return advanced({ revision: 2 });
      },
    });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(2);
    expect(run.calls.retrieve).toHaveLength(3);
  });
});

describe('a regular retrieval', () => {
  it('gets the state of the run, and reports its result beside a release', async () => {
    const gate = createGate();
    const run = runner.begin({
      advance: () => ({ ...needed, found: recorded({ revision: 3 }, { lines: ['- line 3'] }) }),
      retrieve: () => gate.opened.then(() => advanced({ revision: 5 }, { lines: ['- line 5'] })),
      record: () => recorded({ revision: 4 }, { lines: ['- line 4'] }),
    });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(3);
    await run.workflow.executeUpdate('release');
    gate.open();
    await expect.poll(() => run.revision()).toBe(5);
    expect(run.calls.retrieve.map(({ input }) => input.known)).toEqual([3]);
    expect(await run.timeline()).toBe('- line 3\n- line 4\n- line 5');
  });

  it.each([
    ['announces what it records', {}, []],
    ['leaves announcing to the announcement that is on its way', { default: ['order:1:1/1/created'] }, ['default']],
  ] as const)('%s', async (_, announce, busy) => {
    const gate = createGate();
    const run = runner.begin({
      advance: () => ({ ...needed, found: recorded({ revision: 1 }, { announce }) }),
      retrieve: () => advanced({ revision: 2 }),
      announce: (input) => gate.opened.then(() => acknowledged(input)),
    });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(2);
    expect(run.calls.retrieve.map(({ input }) => input.busy)).toEqual([busy]);
  });

  it('announces regularly what the destination did not accept inline', async () => {
    const left = ['order:1:1/1/created'];
    const run = runner.begin({
      advance: () => needed,
      retrieve: () => ({
        ...advanced({}, { announce: { default: left } }),
        announced: { default: { results: [], refused: [], left } },
      }),
      announce: acknowledged,
    });
    await run.wake();
    await expect.poll(() => run.timeline()).toContain('1/created');
    expect(run.calls.announce.map(({ on, input }) => [on, input.ids])).toEqual([['announce', left]]);
  });
});

describe('the grace period', () => {
  it('completes the workflow of a closed subject', async () => {
    const run = runner.begin({ advance: () => advanced({ isOver: true }) }, { settings: { gracePeriodMs: 200 } });
    await run.wake();
    await expect.poll(() => run.status()).toBe('COMPLETED');
    expect(run.calls.advance).toHaveLength(1);
  });

  it('is interrupted by a wake, and a reopened subject continues', async () => {
    const run = runner.begin({ advance: (_, calls) => advanced({ revision: calls + 1, isOver: calls !== 1 }) });
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    await run.wake(['OrderUpdate'], { gracePeriodMs: 1 });
    await expect.poll(() => run.revision()).toBe(2);
    expect(await run.status()).toBe('RUNNING');
    await run.wake(['OrderConfirm'], { gracePeriodMs: 1 });
    await expect.poll(() => run.status()).toBe('COMPLETED');
    expect(run.calls.advance).toHaveLength(3);
  });

  it('begins also when something other than an advance closes the subject', async () => {
    const run = runner.begin({ advance: () => advanced(), record: () => recorded({ revision: 2, isOver: true }) });
    await run.wake(['OrderUpdate'], { gracePeriodMs: 200 });
    await expect.poll(() => run.revision()).toBe(1);
    await run.workflow.executeUpdate('release');
    await expect.poll(() => run.status()).toBe('COMPLETED');
  });
});
