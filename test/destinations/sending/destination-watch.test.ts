import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createDestinationWatch } from '../../../src/destinations/sending/destination-watch.ts';
import { DocklineError } from '../../../src/domain/errors.ts';
import { configure } from '../../store/configured.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';

const erp = { tenant: '9104', id: 'erp', name: 'erp' };
const failure = new DocklineError('ERR_DESTINATION_FAILED', 'answered 503', { status: 503 });
const gone = new DocklineError('ERR_DESTINATION_FAILED', 'answered 410', { status: 410 });

async function open(stopAfterMs?: number) {
  const { destinations, db } = await openTemporaryStore({ now: () => Date.now() });
  await configure({ destinations }, { erp: {} });
  const warned: string[] = [];
  const named: unknown[] = [];
  const watch = createDestinationWatch({
    destinations,
    stopAfterMs,
    logger: {
      warn(about, message) {
        named.push(about);
        warned.push(message);
      },
    },
  });
  const state = () =>
    db
      .selectFrom('destinations')
      .select(['failing_since', 'last_error', 'paused_at', 'paused_by', 'paused_because'])
      .where('id', '=', 'erp')
      .executeTakeFirst();
  return { watch, warned, named, state, destinations };
}

describe('a destination that is watched', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 100_000 });
    return () => void vi.useRealTimers();
  });

  it('is known to fail until it answers, and is not noted with every attempt', async () => {
    const { watch, state } = await open();
    await watch.succeeded(erp);
    expect(await state()).toMatchObject({ failing_since: null });
    await watch.failed(erp, failure);
    expect(await state()).toMatchObject({ failing_since: 100_000, last_error: 'answered 503' });
    await watch.failed(erp, new Error('another'));
    expect(await state()).toMatchObject({ last_error: 'answered 503' });
    vi.advanceTimersByTime(5_000);
    await watch.failed(erp, new Error('another'));
    expect(await state()).toMatchObject({ failing_since: 100_000, last_error: 'another', paused_at: null });
    await watch.succeeded(erp);
    expect(await state()).toMatchObject({ failing_since: null });
  });

  it('has few places while it fails, so that others have the slots of the worker', async () => {
    const { watch } = await open();
    const enter = () => {
      const places = [];
      for (let leave = watch.enter(erp); leave; leave = watch.enter(erp)) places.push(leave);
      expect(watch.enter({ ...erp, id: 'other' })).toBeTypeOf('function');
      for (const leave of places) leave();
      return places.length;
    };
    expect([enter(), enter()]).toEqual([100, 100]);
    for (let failures = 0; failures < 9; failures += 1) await watch.failed(erp, failure);
    expect(enter(), 'it may be one of many that fails').toBe(100);
    await watch.failed(erp, failure);
    expect([enter(), enter()]).toEqual([4, 4]);
    await watch.succeeded(erp);
    expect(enter()).toBe(100);
  });

  it('is stopped at once by 410, with a reason in the log', async () => {
    const { watch, warned, state } = await open();
    await watch.failed(erp, gone);
    expect(await state()).toMatchObject({
      paused_at: 100_000,
      paused_by: 'dockline',
      paused_because: 'answered 410: it wants nothing more',
    });
    expect(warned).toEqual([expect.stringContaining('answered 410')]);
  });

  it('is called in the log what it is called now', async () => {
    const { watch, named, destinations } = await open();
    const added = { tenant: '9104', id: 'added' };
    const saved = { id: added.id, settings: '{}', sealed: Buffer.from('sealed') };
    await destinations.add({ tenant: '9104', name: 'market' }, saved);
    await destinations.rename(added, 'shop');
    await watch.failed(added, gone);
    expect(named).toEqual([{ tenant: '9104', name: 'shop' }]);
  });

  it('is stopped once it has done nothing but fail for the time that is set, and never without one', async () => {
    const { watch, state } = await open(60_000);
    const never = await open();
    for (let waited = 0; waited < 70_000; waited += 10_000) {
      expect(await state()).not.toMatchObject({ paused_at: expect.any(Number) });
      await watch.failed(erp, failure);
      await never.watch.failed(erp, failure);
      vi.advanceTimersByTime(10_000);
    }
    expect(await state()).toMatchObject({ paused_because: 'has failed since 1970-01-01T00:01:40.000Z' });
    expect(await never.state()).toMatchObject({ paused_at: null });
  });
});
