import { onTestFinished, vi } from 'vitest';
import type { ActivityDeps } from '../../activities/ports/deps.ts';
import { type SimulatorOptions, startSimulator } from '../../sandbox/simulator/simulator.ts';
import { createBreaker } from '../../src/warehouse/breaker.ts';
import { createWarehouse } from '../../src/warehouse/warehouse.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { orderOf } from '../support/make.ts';
import { standardOptions } from '../warehouse/open-warehouse.ts';
import { depsOn, retry } from './deps.ts';

/** Measures no durations until the test ends, so that a busy machine does not make a retrieval look slow. */
export function stopStopwatch(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Dependencies of a retrieval: the simulated warehouse, with an order of a dozen lines, and a store. */
export async function openRetrieving({
  callsPerSecond,
  pagesOffMs,
  timeoutMs,
  othersWaiting,
  deps: rest,
  ...options
}: Partial<SimulatorOptions> & {
  readonly callsPerSecond?: number;
  readonly pagesOffMs?: number;
  readonly timeoutMs?: number;
  /** Number of events that wait for other records. */
  readonly othersWaiting?: number;
  readonly deps?: Partial<ActivityDeps>;
} = {}) {
  const simulator = await startSimulator({ port: 0, seed: 1, ...options });
  const store = await openTemporaryStore();
  const { baseUrl, authUrl, credentials } = simulator;
  const warehouse = createWarehouse({
    baseUrl,
    authUrl,
    ...credentials,
    ...standardOptions,
    ...(callsPerSecond && { callsPerSecond }),
    ...(pagesOffMs !== undefined && { pagesOffMs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(othersWaiting !== undefined && { othersWaiting: () => othersWaiting }),
  });
  onTestFinished(async () => {
    await warehouse.close();
    await simulator.close();
  });
  const orderId = simulator.createOrder({ lines: 12 });
  const subject = orderOf(orderId);
  const clock = { time: 1_000_000 };
  const deps = depsOn(store, {
    warehouseOf: (_, onAnswer) => warehouse.observed(onAnswer),
    mayInline: (_, gets) => warehouse.isFree(gets),
    breaker: createBreaker({ ...retry, now: () => clock.time }),
    ...rest,
  });
  const calls = () => {
    const { token: _, ...gets } = simulator.counts().calls;
    return gets;
  };
  return { simulator, store, orderId, subject, clock, deps, calls };
}
