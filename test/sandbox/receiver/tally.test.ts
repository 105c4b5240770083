import { describe, expect, it } from 'vitest';
import { createTally, type Received } from '../../../sandbox/receiver/tally.ts';

const announced = (sequence: number, more: Partial<Received> = {}): Received => ({
  id: `order:1:7/${sequence}/${more.subject ?? 'orders/7'}`,
  source: '/dockline/1',
  subject: 'orders/7',
  sequence,
  previous: sequence - 1 || null,
  type: 'dockline.order.updated',
  time: `2026-02-11T10:00:0${sequence}.000Z`,
  late: false,
  inferred: false,
  eventId: `1:${sequence}`,
  receivedAt: 0,
  triedAt: 0,
  content: {
    kind: 'order',
    id: '7',
    milestone: 'updated',
    stage: 'created',
    inferred: false,
    event: null,
    facts: [],
    missing: [],
    records: {},
  },
  ...more,
});

function countsOf(...received: Received[]) {
  const tally = createTally();
  for (const one of received) tally.add(one);
  return tally.counts();
}

describe('a tally', () => {
  it('counts distinct ids, and repeated ones as duplicates', () => {
    expect(countsOf(announced(1), announced(2), announced(1), announced(2), announced(3))).toEqual({
      received: 3,
      duplicates: 2,
      outOfOrder: 0,
    });
  });

  it('counts a gap and a step back as out of order', () => {
    expect(countsOf(announced(1), announced(3)).outOfOrder).toBe(1);
    expect(countsOf(announced(1), announced(3), announced(2)).outOfOrder).toBe(2);
  });

  it('separates orders and tenants', () => {
    const other = announced(1, { subject: 'orders/8' });
    const tenant = announced(1, { source: '/dockline/2', id: 'order:2:7/1/updated' });
    expect(countsOf(announced(1), other, tenant, announced(2))).toMatchObject({ received: 4, outOfOrder: 0 });
  });

  it('counts an older event as out of order unless it is marked as late', () => {
    const old = '2026-02-11T09:00:00.000Z';
    expect(countsOf(announced(1), announced(2, { time: old })).outOfOrder).toBe(1);
    expect(countsOf(announced(1), announced(2, { time: old, late: true }), announced(3)).outOfOrder).toBe(0);
  });

  it('ignores the time of a change that no event reported', () => {
    const inferred = announced(2, { eventId: null, inferred: true, time: '2026-02-11T23:00:00.000Z' });
    expect(countsOf(announced(1), inferred, announced(3)).outOfOrder).toBe(0);
  });
});
