import { expect, it } from 'vitest';
import type { StoredGauges } from '../../../src/health/gauges.ts';
import { createMetrics } from '../../../src/observability/metrics/metrics.ts';
import { createStoredGauges, shareReading } from '../../../src/observability/metrics/stored.ts';
import { parseExposition, valueIn } from './exposition.ts';

const counted = (count: number, since: number | null = null) => ({ count, since, isMore: false });

const stored: StoredGauges = {
  at: 10_000,
  waiting: { count: 3, since: 4000 },
  outgoing: { unsent: counted(0), replays: counted(0), onHold: counted(0), deadLetters: counted(1) },
  subjects: [{ kind: 'order', stage: 'picked', ...counted(5, 1000) }],
};

it('the gauges have the ages of the oldest, and no value while the store cannot be read', async () => {
  const metrics = createMetrics();
  let isDown = false;
  const set = createStoredGauges(metrics, async () => {
    if (isDown) throw new Error('down');
    return stored;
  });
  const scraped = async () => {
    await set();
    const samples = parseExposition(await metrics.registry.metrics());
    return {
      up: valueIn(samples, 'dockline_store_up'),
      waiting: valueIn(samples, 'dockline_inbox_waiting_events'),
      oldest: valueIn(samples, 'dockline_inbox_oldest_waiting_age_seconds'),
      unsent: valueIn(samples, 'dockline_announcements_oldest_unsent_age_seconds'),
      picked: valueIn(samples, 'dockline_subjects', { kind: 'order', stage: 'picked' }),
      since: valueIn(samples, 'dockline_subjects_oldest_stage_age_seconds', { kind: 'order', stage: 'picked' }),
    };
  };
  const known = {
    up: 1,
    waiting: 3,
    oldest: 6,
    unsent: 0,
    picked: 5,
    since: 9,
  };
  expect(await scraped()).toEqual(known);
  isDown = true;
  expect(await scraped()).toEqual({ up: 0 });
  isDown = false;
  expect(await scraped()).toEqual(known);
});

it('one reading serves all scrapes, and the next one begins when it is old', async () => {
  let reads = 0;
  const read = shareReading({ read: async () => ++reads, forMs: 50, withinMs: 1000 });
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  await expect.poll(read).toBe(2);
});

it('a scrape does not wait longer for a reading than it may, and no second one begins meanwhile', async () => {
  let reads = 0;
  const hanging = Promise.withResolvers<string>();
  const read = shareReading({
    read: () => {
      reads += 1;
      return hanging.promise;
    },
    forMs: 0,
    withinMs: 20,
  });
  await expect(read()).rejects.toThrow('nothing was read within 20 ms');
  await expect(read()).rejects.toThrow('nothing was read within 20 ms');
  expect(reads).toBe(1);
  hanging.resolve('late');
  expect(await read()).toBe('late');
});
