import { describe, expect, it } from 'vitest';
import { acknowledged, advanced, needed } from './outcomes.ts';
import { useRunner } from './run-subject.ts';

const runner = useRunner();

const HOUR_MS = 3_600_000;
const settingNames = [
  ...['gracePeriodMs', 'stageLimitsMs', 'signalsPerRun', 'inline', 'warehouseTaskQueue', 'announceTaskQueue'],
];

/** Fakes of a subject that retrieves regularly, watches its stage and announces with every wake, so that it uses every setting. */
const createFakes = () => ({
  advance: () => needed,
  retrieve: ({ known }: { readonly known: number | null }) =>
    advanced({ revision: (known ?? 0) + 1, isOver: true }, { announce: [`a/${known}`] }),
  announce: acknowledged,
});

describe('the signal events', () => {
  it.each<[string, readonly unknown[]]>([
    ['nothing', []],
    ['null', [null, null]],
    ['a string', ['OrderUpdate', 'settings']],
    ['an object', [{ names: ['OrderUpdate'] }, [{}]]],
    ['no names', [[null, 7, {}, ['x'], 'OrderUpdate'], 7]],
    ['10,000 ids', [Array.from({ length: 10_000 }, (_, index) => `9104:${index}`)]],
    ['names that are long', [Array.from({ length: 20 }, (_, index) => `${index}${'💥'.repeat(5000)}`)]],
  ])('wakes with %s', async (_, args) => {
    const run = runner.begin(createFakes());
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    await run.signal('events', ...args);
    await expect.poll(() => run.revision()).toBe(2);
    expect(run.calls.retrieve).toHaveLength(2);
  });

  it.each<[string, object | null]>([
    ['none', null],
    ['a number for every setting', Object.fromEntries(settingNames.map((name) => [name, 1]))],
    ['text for every setting', Object.fromEntries(settingNames.map((name) => [name, 'x']))],
    ['no queue', { warehouseTaskQueue: undefined }],
    ['a queue without a name', { announceTaskQueue: '' }],
    ['a queue without workers', { announceTaskQueue: 'of-nobody' }],
    ['a queue that is not a name', { warehouseTaskQueue: { name: 'x' } }],
    ['a queue whose name is too long for Temporal', { warehouseTaskQueue: 'x'.repeat(5000) }],
    ['a grace period in words', { gracePeriodMs: 'soon' }],
    ['a negative grace period', { gracePeriodMs: -1 }],
    ['an endless grace period', { gracePeriodMs: 1e300 }],
    ['no signals per run', { signalsPerRun: 0 }],
    ['limits that are null', { stageLimitsMs: null }],
    ['limits that are a list', { stageLimitsMs: ['created'] }],
    ['a limit in words', { stageLimitsMs: { created: 'soon' } }],
    ['a limit that is an object', { stageLimitsMs: { created: {} } }],
    ['an endless limit', { stageLimitsMs: { created: 1e300 } }],
    ['inline in words', { inline: 'yes' }],
  ])('with invalid settings wakes and changes none: %s', async (_, changes) => {
    const run = runner.begin(createFakes());
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    const settings = changes && { ...run.settings, ...changes };
    await run.signal('events', ['OrderUpdate'], settings);
    await expect.poll(() => run.revision()).toBe(2);
    await run.signal('events', ['OrderUpdate']);
    await expect.poll(() => run.revision()).toBe(3);
    expect(run.calls.retrieve.map(({ on }) => on)).toEqual(['warehouse', 'warehouse', 'warehouse']);
    expect(run.calls.advance.map(({ input }) => input.retrieve)).toEqual([true, true, true]);
    const failed = (await run.history()).filter((event) => event.workflowTaskFailedEventAttributes);
    expect(failed).toEqual([]);
    expect(await run.status()).toBe('RUNNING');
  });

  it('may contain unknown settings', async () => {
    const run = runner.begin(createFakes());
    await run.wake(['OrderUpdate'], { gracePeriodMs: HOUR_MS, ...{ later: [1] } });
    await expect.poll(() => run.revision()).toBe(1);
  });
});

describe('an unknown signal', () => {
  it.each(['resend', 'event', '__proto__'])('wakes: %s', async (name) => {
    const run = runner.begin(createFakes());
    await run.wake();
    await expect.poll(() => run.revision()).toBe(1);
    await run.signal(name, 'x', { settings: null });
    await expect.poll(() => run.revision()).toBe(2);
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
