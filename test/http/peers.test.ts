import { describe, expect, it } from 'vitest';
import { createPeers } from '../../src/http/peers.ts';

/** Creates peers whose `failed` reports whether it was told that the limit is exhausted. */
function setUp(options: Parameters<typeof createPeers>[0]) {
  const told: unknown[] = [];
  const peers = createPeers({ ...options, onExhausted: (address) => told.push(address) });
  const failed: (...failure: Parameters<typeof peers.failed>) => boolean = (...failure) => {
    const before = told.length;
    peers.failed(...failure);
    return told.length > before;
  };
  return { ...peers, failed };
}

describe('failures', () => {
  it('refuse their peer for the rest of the minute', () => {
    let time = 5_000_000;
    const peers = setUp({ failuresPerMinute: 2, now: () => time });
    expect([peers.failed('192.0.2.1'), peers.refusedFor('192.0.2.1')]).toEqual([false, undefined]);
    expect([peers.failed('192.0.2.1'), peers.refusedFor('192.0.2.1')]).toEqual([true, 60]);
    expect(peers.failed('192.0.2.1')).toBe(false);
    expect(peers.refusedFor('192.0.2.2')).toBeUndefined();
    time += 59_001;
    expect(peers.refusedFor('192.0.2.1')).toBe(1);
    time += 999;
    expect(peers.refusedFor('192.0.2.1')).toBeUndefined();
    expect([peers.failed('192.0.2.1'), peers.refusedFor('192.0.2.1')]).toEqual([false, undefined]);
  });

  it('that are costly count as several, and tell once that they exhaust the limit', () => {
    const peers = setUp({ failuresPerMinute: 10 });
    expect([peers.failed('192.0.2.1', 6), peers.failed('192.0.2.1', 6), peers.failed('192.0.2.1', 6)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(peers.refusedFor('192.0.2.1')).toBe(60);
  });

  it('refuse nothing of a peer that sent an authentic delivery within the hour', () => {
    let time = 5_000_000;
    const peers = setUp({ failuresPerMinute: 1, now: () => time });
    peers.succeeded('192.0.2.1');
    expect([peers.failed('192.0.2.1'), peers.refusedFor('192.0.2.1')]).toEqual([false, undefined]);
    time += 3_600_000;
    expect([peers.failed('192.0.2.1'), peers.refusedFor('192.0.2.1')]).toEqual([true, 60]);
    peers.succeeded('192.0.2.1');
    expect(peers.refusedFor('192.0.2.1')).toBeUndefined();
  });

  it('leave a refused peer a few requests with credentials a second', () => {
    let time = 5_000_000;
    const peers = setUp({ failuresPerMinute: 1, now: () => time });
    const tries = () => Array.from({ length: 7 }, () => peers.mayTry('192.0.2.1'));
    expect(tries()).toEqual([true, true, true, true, true, false, false]);
    expect(peers.mayTry('192.0.2.2')).toBe(true);
    time += 1000;
    expect(tries()).toEqual([true, true, true, true, true, false, false]);
  });

  it('of peers whose connections are closed refuse no others', () => {
    const peers = setUp({ failuresPerMinute: 1 });
    expect([peers.failed(undefined), peers.refusedFor(undefined)]).toEqual([true, 60]);
    expect(peers.refusedFor('192.0.2.1')).toBeUndefined();
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', true],
    ['2001:db8:1:2::1', '2001:DB8:1:2::', true],
    ['2001:db8::1', '2001:db8:0:0:5::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['unknown', 'unknown', true],
    ['203.0.113.8:40001', '203.0.113.8:40002', true],
    ['203.0.113.8:40001', '203.0.113.8', true],
    ['203.0.113.8:40001', '203.0.113.9:40001', false],
    ['[2001:db8:1:2::1]:40001', '"[2001:db8:1:2::5]"', true],
    ['[::ffff:203.0.113.8]:40001', '"203.0.113.8"', true],
    ['[2001:db8:1:2::1]:40001', '[2001:db8:1:3::1]:40001', false],
  ])('of %s refuse %s: %j', (failed, other, isRefused) => {
    const peers = setUp({ failuresPerMinute: 1 });
    peers.failed(failed);
    expect(peers.refusedFor(other) !== undefined).toBe(isRefused);
  });

  it('are kept for so many peers only, and forgotten from the oldest on', () => {
    const peers = setUp({ failuresPerMinute: 1, capacity: 3 });
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    for (const address of addresses) peers.failed(address);
    expect(addresses.map((address) => peers.refusedFor(address) !== undefined)).toEqual([false, true, true, true]);
  });
});
