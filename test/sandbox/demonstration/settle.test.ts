import { describe, expect, it } from 'vitest';
import { settle } from '../../../src/sandbox/demonstration/settle.ts';
import type { Evidence } from '../../../src/sandbox/demonstration/summary.ts';

const nothing: Evidence = {
  truth: [],
  sent: 0,
  undelivered: 0,
  inbox: { accepted: 0, duplicates: 0, quarantined: 0 },
  subjects: [],
  received: [],
  duplicates: 0,
  outOfOrder: 0,
  warehouseCalls: 0,
  elapsedMs: 0,
};

const rest = { progress: () => {}, signal: new AbortController().signal };

describe('a demonstration', () => {
  it('is settled when all is well and nothing is on its way', async () => {
    const idle = [false, false, true];
    const summary = await settle({ ...rest, gather: async () => nothing, isIdle: async () => idle.shift() ?? true });
    expect(summary.announcements.missing).toBe(0);
    expect(idle).toEqual([]);
  });

  it('is given up when nothing has moved for long, and says what it saw', async () => {
    const gather = async () => ({ ...nothing, undelivered: 1 });
    const summary = await settle({ ...rest, gather, isIdle: async () => true, patienceMs: 300 });
    expect(summary.webhooks.undelivered).toBe(1);
  });

  it('stops waiting when it is told to', async () => {
    const stop = new AbortController();
    const settling = settle({ ...rest, gather: async () => nothing, isIdle: async () => false, signal: stop.signal });
    stop.abort();
    await expect(settling).rejects.toThrow();
  });
});
