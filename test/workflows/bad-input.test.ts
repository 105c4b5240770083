import { describe, expect, it } from 'vitest';
import { acknowledged, advanced, needed } from './outcomes.ts';
import { useRunner } from './run-subject.ts';

const runner = useRunner();

const HOUR_MS = 3_600_000;
const settingNames = [
  'gracePeriodMs',
  'stageLimitsMs',
  'signalsPerRun',
  'inline',
  'warehouseTaskQueue',
  'announceTaskQueue',
];

/** Fakes of a subject that retrieves regularly, watches its stage and announces with every wake, so that it uses every setting. */
const createFakes = () => ({
  advance: () => needed,
  retrieve: ({ known }: { readonly known: number | null }) =>
    advanced({ revision: (known ?? 0) + 1, isOver: true }, { announce: { default: [`a/${known}`] } }),
  announce: acknowledged,
});

/** Begins a subject with these fakes, and wakes it once. */
async function beginAwake() {
  const run = runner.begin(createFakes());
  /** Waits until the subject has been retrieved so many times, and no more. */
  const untilRetrieved = async (times: number, message = 'a wake') => {
    // Asks the workflow only once that can be true.
    await expect.poll(() => run.calls.retrieve.length, { message }).toBe(times);
    await expect.poll(() => run.revision(), { message }).toBe(times);
    expect(run.calls.retrieve, message).toHaveLength(times);
  };
  const first = await run.wake();
  await untilRetrieved(1);
  return { run, first, untilRetrieved };
}

describe('the signal events', () => {
  it('wakes with anything', async () => {
    const bad: Readonly<Record<string, readonly unknown[]>> = {
      nothing: [],
      null: [null, null],
      'a string': ['OrderUpdate', 'settings'],
      'an object': [{ names: ['OrderUpdate'] }, [{}]],
      'no names': [[null, 7, {}, ['x'], 'OrderUpdate'], 7],
      '10,000 ids': [Array.from({ length: 10_000 }, (_, index) => `9104:${index}`)],
      'names that are long': [Array.from({ length: 20 }, (_, index) => `${index}${'💥'.repeat(5000)}`)],
    };
    const { run, untilRetrieved } = await beginAwake();
    for (const [index, [what, args]] of Object.entries(bad).entries()) {
      await run.signal('events', ...args);
      await untilRetrieved(index + 2, what);
    }
  });

  it('with invalid settings wakes and changes none', async () => {
    const invalid: Readonly<Record<string, object | null>> = {
      none: null,
      'a number for every setting': Object.fromEntries(settingNames.map((name) => [name, 1])),
      'text for every setting': Object.fromEntries(settingNames.map((name) => [name, 'x'])),
      'no queue': { warehouseTaskQueue: undefined },
      'a queue without a name': { announceTaskQueue: '' },
      'a queue without workers': { announceTaskQueue: 'of-nobody' },
      'a queue that is not a name': { warehouseTaskQueue: { name: 'x' } },
      'a queue whose name is too long for Temporal': { warehouseTaskQueue: 'x'.repeat(5000) },
      'a grace period in words': { gracePeriodMs: 'soon' },
      'a negative grace period': { gracePeriodMs: -1 },
      'an endless grace period': { gracePeriodMs: 1e300 },
      'no signals per run': { signalsPerRun: 0 },
      'limits that are null': { stageLimitsMs: null },
      'limits that are a list': { stageLimitsMs: ['created'] },
      'a limit in words': { stageLimitsMs: { created: 'soon' } },
      'a limit that is an object': { stageLimitsMs: { created: {} } },
      'an endless limit': { stageLimitsMs: { created: 1e300 } },
      'inline in words': { inline: 'yes' },
    };
    const { run, first, untilRetrieved } = await beginAwake();
    for (const [index, [what, changes]] of Object.entries(invalid).entries()) {
      // Each also shows what the one before it left.
      await run.signal('events', ['OrderUpdate'], changes && { ...run.settings, ...changes });
      await untilRetrieved(index + 2, what);
      expect(new Set(run.calls.retrieve.map(({ on }) => on)), what).toEqual(new Set(['warehouse']));
      expect(new Set(run.calls.advance.map(({ input }) => input.retrieve)), what).toEqual(new Set([true]));
    }
    await run.signal('events', ['OrderUpdate']);
    await untilRetrieved(Object.keys(invalid).length + 2);
    expect(run.calls.advance).toHaveLength(run.calls.retrieve.length);
    const failed = (await run.history(first)).filter((event) => event.workflowTaskFailedEventAttributes);
    expect(failed).toEqual([]);
    expect(await run.status(first)).toBe('RUNNING');
  });

  it('may contain unknown settings', async () => {
    const run = runner.begin(createFakes());
    const settings = { gracePeriodMs: HOUR_MS, later: [1] };
    await run.wake(['OrderUpdate'], settings);
    await expect.poll(() => run.revision()).toBe(1);
  });
});

describe('an unknown signal', () => {
  it('wakes, whatever its name', async () => {
    const { run, untilRetrieved } = await beginAwake();
    for (const [index, name] of ['resend', 'event', '__proto__'].entries()) {
      await run.signal(name, 'x', { settings: null });
      await untilRetrieved(index + 2, name);
    }
  });
});

describe('a workflow that is started without a wake', () => {
  it('loads its state from the store', async () => {
    const run = runner.begin({ advance: () => advanced({ revision: 7 }) });
    await run.start();
    await expect.poll(() => run.revision()).toBe(7);
    expect(run.calls.advance).toHaveLength(1);
  });
});
