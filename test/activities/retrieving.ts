import { onTestFinished, vi } from 'vitest';
import type { ActivityDeps } from '../../activities/ports/deps.ts';
import type { SimulatorOptions } from '../../sandbox/simulator/simulator.ts';
import { startSimulator } from '../../sandbox/simulator/simulator.ts';
import { createInline } from '../../src/warehouse/inline.ts';
import { createWarehouse } from '../../src/warehouse/warehouse.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { orderOf } from '../support/make.ts';
import { standardOptions } from '../warehouse/open-warehouse.ts';
import { depsOn } from './deps.ts';

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
  deps: rest,
  ...options
}: Partial<SimulatorOptions> & {
  readonly callsPerSecond?: number;
  readonly pagesOffMs?: number;
  readonly timeoutMs?: number;
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
  });
  onTestFinished(async () => {
    await warehouse.close();
    await simulator.close();
  });
  const orderId = simulator.createOrder({ lines: 12 });
  const subject = orderOf(orderId);
  const clock = { time: 1_000_000 };
  const inline = createInline({
    isInline: () => true,
    isFree: (_, count) => warehouse.isFree(count),
    isStopping: () => false,
    now: () => clock.time,
  });
  const deps = depsOn(store, { warehouseOf: (_, onAnswer) => warehouse.observed(onAnswer), inline, ...rest });
  const calls = () => {
    const { token: _, ...gets } = simulator.counts().calls;
    return gets;
  };
  return { simulator, store, orderId, subject, clock, deps, calls };
}
