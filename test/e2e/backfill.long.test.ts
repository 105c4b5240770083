import { describe, expect, it } from 'vitest';
import { startSweptSystem } from '../support/swept-system.ts';

const silent = { open: false, dryRun: false } as const;

const kinds = ['order'] as const;

describe('a backfill', () => {
  it('makes the orders under way known and announces only what happens from then on', async () => {
    const { simulator, announced, stages, sweep, tenant, isQuiet } = await startSweptSystem();
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

  it('of what is open leaves closed and canceled orders out, and needs no time of a change', async () => {
    const { simulator, stages, sweep, tenant } = await startSweptSystem();
    simulator.setManners({ refusedProperties: ['readOnly.lastModifiedDate'] });
    const [open, closed, canceled] = [1, 2, 3].map(() => simulator.createOrder()) as [string, string, string];
    await simulator.emit(closed, 'OrderConfirm', { deliver: false });
    await simulator.emit(canceled, 'OrderCancel', { deliver: false });
    const done = await sweep({ kinds, backfill: { ...silent, open: true } });
    expect(done.tallies).toMatchObject({ order: { rows: 1, differing: 1, fed: 1 } });
    await expect.poll(stages).toEqual({ [`order:${tenant}:${open}`]: 'created' });
  });

  it('goes on after a restart where it was', async () => {
    const system = await startSweptSystem({ simulator: { faults: { latencyMs: 300 } } });
    const { simulator, sweep, stages, isQuiet, receiver } = system;
    for (let i = 0; i < 12; i += 1) simulator.createOrder();
    const running = sweep({ kinds, backfill: silent, pageSize: 2 });
    await expect.poll(() => simulator.counts().calls.getOrders ?? 0).toBeGreaterThan(2);
    await system.restart();
    expect((await running).tallies).toMatchObject({ order: { rows: 12, fed: 12 } });
    await expect.poll(async () => Object.keys(await stages()).length).toBe(12);
    await expect.poll(isQuiet).toBe(true);
    expect(receiver.received()).toEqual([]);
    // A page whose answer the restart lost was read again; none was read from the beginning.
    expect(simulator.counts().calls.getOrders).toBeLessThanOrEqual(8);
  });
});
