import { describe, expect, it } from 'vitest';
import { settle } from '../../../sandbox/demonstration/demonstrate.ts';
import type { Evidence } from '../../../sandbox/demonstration/summary.ts';

const nothing: Evidence = {
  truth: [],
  sent: 0,
  undelivered: 0,
  inbox: { accepted: 0, duplicates: 0, quarantined: 0 },
  subjects: [],
  received: [],
  duplicates: 0,
  outOfOrder: 0,
  falsehoods: [],
  lies: {},
  quantities: 0,
  warehouseCalls: 0,
  elapsedMs: 0,
};

const defaults = { progress: () => {}, signal: new AbortController().signal };

describe('a demonstration', () => {
  it('is settled when the result is correct and nothing is in progress', async () => {
    const idle = [false, false, true];
    const summary = await settle({
      ...defaults,
      collect: async () => nothing,
      isIdle: async () => idle.shift() ?? true,
    });
    expect(summary.announcements.missing).toBe(0);
    expect(idle).toEqual([]);
  });

  it('ends when nothing has changed for too long, and reports its last result', async () => {
    const collect = async () => ({ ...nothing, undelivered: 1 });
    const summary = await settle({ ...defaults, collect, isIdle: async () => true, patienceMs: 300 });
    expect(summary.webhooks.undelivered).toBe(1);
  });
});
