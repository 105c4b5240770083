import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shutDown } from '../../../src/observability/tracing/open-telemetry.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const begin = (shutdown: () => Promise<void>) => {
  let isOver = false;
  const ended = shutDown({ shutdown }, 300).then(() => {
    isOver = true;
  });
  return { ended, isOver: () => isOver };
};

it('a process does not wait longer than its limit for a collector that hangs', async () => {
  const { ended, isOver } = begin(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(299);
  expect(isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver()).toBe(true);
  await ended;
});

it('a process ends as soon as the rest is exported, or is known to be lost', async () => {
  for (const shutdown of [async () => undefined, () => Promise.reject(new Error('refused'))]) {
    const { ended } = begin(shutdown);
    await ended;
    expect(vi.getTimerCount()).toBe(0);
  }
});
