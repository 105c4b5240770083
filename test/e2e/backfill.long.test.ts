import { afterEach, describe, expect, it } from 'vitest';
import { startSweptSystem, useSweptSystem } from '../support/swept-system.ts';

const silent = { open: false, announce: false, dryRun: false } as const;

const kinds = ['order'] as const;

const shared = useSweptSystem({
  known: {},
  repeated: {},
  open: {},
  leaving: {},
  shifting: {},
  undated: {},
  unidentified: {},
});
afterEach(() => shared('known').simulator.setManners({ refusedProperties: [] }));

describe('a backfill', () => {
  it('makes the orders under way known and announces only what happens from then on', async () => {
    const { simulator, announced, stages, sweep, tenant, isQuiet } = shared('known');
    const [packed, closed, known] = [1, 2, 3].map(() => simulator.createOrder()) as [string, string, string];
    for (const name of ['OrderFullyAllocated', 'OrderPickJobDone', 'OrderPackComplete'] as const)
      await simulator.emit(packed, name, { deliver: false });
    await simulator.emit(closed, 'OrderConfirm', { deliver: false });
    await simulator.emit(known, 'OrderCreate');
    await expect.poll(() => announced(known)).toEqual(['1/created']);

    const { tallies } = await sweep({ kinds, backfill: silent, pageSize: 2 });
    expect(tallies).toEqual({ order: { rows: 3, open: 0, differing: 2, missing: 0, fed: 2 } });
    await expect.poll(stages).toEqual({
      [`order:${tenant}:${packed}`]: 'packed',
      [`order:${tenant}:${closed}`]: 'confirmed',
      [`order:${tenant}:${known}`]: 'created',
    });
    await expect.poll(isQuiet).toBe(true);
    expect([announced(packed), announced(closed), announced(known)]).toEqual([[], [], ['1/created']]);

    await simulator.emit(packed, 'OrderConfirm');
    await simulator.emit(closed, 'OrderUnconfirm');
    await expect.poll(() => announced(packed)).toEqual(['1/confirmed']);
    await expect.poll(() => announced(closed)).toEqual(['1/unconfirmed']);
    expect((await sweep({ kinds })).tallies).toMatchObject({ order: { differing: 0, fed: 0 } });
  });

  it('adds each subject once, however often it runs, and nothing in a dry run', async () => {
    const { simulator, announced, sweep } = shared('repeated');
    const orderId = simulator.createOrder();
    const dry = await sweep({ kinds, backfill: { ...silent, dryRun: true } });
    expect(dry.tallies).toMatchObject({ order: { rows: 1, differing: 1, fed: 0 } });
    const loud = await sweep({ kinds, backfill: { ...silent, announce: true } });
    expect(loud.tallies).toMatchObject({ order: { fed: 1 } });
    await expect.poll(() => announced(orderId)).toEqual(['1/created inferred']);
    const again = await sweep({ kinds, backfill: silent });
    expect(again.tallies).toMatchObject({ order: { rows: 1, differing: 0, fed: 0 } });
    expect(announced(orderId)).toEqual(['1/created inferred']);
  });

  it('of what is open leaves closed and canceled orders out, and needs no time of a change', async () => {
    const { simulator, stages, sweep, tenant } = shared('open');
    simulator.setManners({ refusedProperties: ['readOnly.lastModifiedDate'] });
    const [open, closed, canceled] = [1, 2, 3].map(() => simulator.createOrder()) as [string, string, string];
    await simulator.emit(closed, 'OrderConfirm', { deliver: false });
    await simulator.emit(canceled, 'OrderCancel', { deliver: false });
    const done = await sweep({ kinds, backfill: { ...silent, open: true } });
    expect(done.tallies).toMatchObject({ order: { rows: 1, differing: 1, fed: 1 } });
    expect(done.limitations).toBeUndefined();
    await expect.poll(stages).toEqual({ [`order:${tenant}:${open}`]: 'created' });
  });

  it.each([
    ['after the last id', 'leaving', []],
    ['by their numbers, again and again', 'shifting', ['readOnly.orderId']],
  ] as const)('misses no order when others are closed between its pages, which go on %s', async (_, name, refused) => {
    const { simulator, stages, sweep } = shared(name);
    simulator.setManners({ refusedProperties: refused });
    simulator.setFaults({ latencyMs: 50 });
    const ids = Array.from({ length: 45 }, () => simulator.createOrder());
    const calls = () => simulator.counts().calls.getOrders ?? 0;
    const before = calls();
    const running = sweep({ kinds, backfill: { ...silent, open: true }, pageSize: 10 });
    await expect.poll(() => calls() - before, { interval: 5 }).toBeGreaterThan(1 + refused.length);
    for (const id of ids.slice(0, 10)) await simulator.emit(id, 'OrderConfirm', { deliver: false });
    await running;
    simulator.setFaults({ latencyMs: 0 });
    const known = async () => Object.keys(await stages()).map((key) => key.split(':')[2]);
    await expect.poll(known).toEqual(expect.arrayContaining(ids.slice(10)));
  });

  it('goes on after a restart where it was', async () => {
    const system = await startSweptSystem({ simulator: { faults: { latencyMs: 300 } } });
    const { simulator, sweep, stages, isQuiet, receiver } = system;
    for (let i = 0; i < 12; i += 1) simulator.createOrder();
    const running = sweep({ kinds, backfill: silent, pageSize: 2 });
    await expect.poll(() => simulator.counts().calls.getOrders ?? 0).toBeGreaterThan(2);
    await system.restart();
    // Another command follows the same backfill.
    const [first, second] = await Promise.all([running, sweep({ kinds, backfill: silent })]);
    expect(second).toEqual(first);
    expect(first.tallies).toMatchObject({ order: { rows: 12, fed: 12 } });
    await expect.poll(async () => Object.keys(await stages()).length).toBe(12);
    await expect.poll(isQuiet).toBe(true);
    expect(receiver.received()).toEqual([]);
    // A page whose answer the restart lost was read again; none was read from the beginning.
    expect(simulator.counts().calls.getOrders).toBeLessThanOrEqual(8);
  });
});

describe('a sweep of a warehouse that refuses a property', () => {
  it('finds the rest, page by page, and says which setting replaces it', async () => {
    const { simulator, sweep, announced } = shared('undated');
    simulator.setManners({ refusedProperties: ['readOnly.lastModifiedDate', 'readOnly.isClosed'] });
    const ids = [1, 2, 3, 4, 5].map(() => simulator.createOrder());
    const { tallies, limitations } = await sweep({ kinds, pageSize: 2 });
    expect(tallies).toMatchObject({ order: { rows: 5, fed: 5 } });
    expect(limitations).toEqual([
      { kind: 'order', message: expect.stringContaining('(set order.changed in WAREHOUSE_PROPERTIES)') },
    ]);
    for (const id of ids) await expect.poll(() => announced(id)).toEqual(['1/created inferred']);
  });

  it('compares all it can if ids cannot be filtered either', async () => {
    const { simulator, sweep, announced } = shared('unidentified');
    simulator.setManners({ refusedProperties: ['readOnly.orderId'] });
    const [orderId, other] = [1, 2].map(() => simulator.createOrder()) as [string, string];
    for (const id of [orderId, other]) {
      await simulator.emit(id, 'OrderCreate');
      await expect.poll(() => announced(id)).toEqual(['1/created']);
    }
    await simulator.emit(orderId, 'OrderConfirm', { deliver: false });
    const { tallies, limitations } = await sweep({ kinds });
    expect(tallies).toMatchObject({ order: { rows: 2, open: 0, differing: 1, fed: 1 } });
    expect(limitations).toHaveLength(2);
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/confirmed inferred']);
  });
});
