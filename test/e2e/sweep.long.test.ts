import { describe, expect, it } from 'vitest';
import { useSweptSystem } from '../support/swept-system.ts';

const zones = [
  [-720, 'west'],
  [0, 'middle'],
  [840, 'east'],
] as const;

describe('a sweep', () => {
  const shared = useSweptSystem({
    west: { utcOffsetMinutes: -720 },
    middle: { utcOffsetMinutes: 0 },
    east: { utcOffsetMinutes: 840 },
    ofPages: {},
  });

  it.each(zones)('finds recent changes in a warehouse %d minutes from UTC', async (offset, zone) => {
    const { simulator, sweep } = shared(zone);
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate', { deliver: false });
    expect(await sweep({ since: Date.now() - 60_000 })).toMatchObject({ tallies: { order: { rows: 1, fed: 1 } } });
    const { order } = (await sweep({ since: Date.now() - 60_000, overlapMs: 0 })).tallies;
    expect(order?.rows).toBe(offset < 0 ? 0 : 1);
  });

  it('of many pages continues as new with the same result', async () => {
    const { simulator, sweep, service, tenant } = shared('ofPages');
    for (let i = 0; i < 12; i += 1) simulator.createOrder();
    expect(await sweep({ pageSize: 5, pagesPerRun: 1 })).toMatchObject({
      tallies: { order: { rows: 12, differing: 12, fed: 12 }, receipt: { rows: 0 } },
    });
    // Four pages of orders, of which the last has no rows, and one page of each other part: each but the last continues as new.
    const ended = `WorkflowId = 'reconcile:${tenant}:on-demand' AND ExecutionStatus = 'ContinuedAsNew'`;
    const { workflow } = service().webhook.client;
    await expect.poll(async () => (await Array.fromAsync(workflow.list({ query: ended }))).length).toBe(6);
  });
});
