import { onTestFinished } from 'vitest';
import type { ActivityDeps } from '../../activities/ports.ts';
import { type SimulatorOptions, startSimulator } from '../../src/simulator/simulator.ts';
import { openStore } from '../../src/store/store.ts';
import { createOffhand } from '../../src/warehouse/offhand.ts';
import { createWarehouse } from '../../src/warehouse/warehouse.ts';

/** What activities need to retrieve: the simulated warehouse and a store in memory. */
export async function openRetrieving({
  callsPerSecond,
  ...options
}: Partial<SimulatorOptions> & { callsPerSecond?: number } = {}) {
  const simulator = await startSimulator({ port: 0, seed: 1, ...options });
  const store = await openStore({ file: ':memory:' });
  const { baseUrl, authUrl, credentials } = simulator;
  const warehouse = createWarehouse({
    baseUrl,
    authUrl,
    ...credentials,
    orderDetail: [],
    itemDetail: [],
    receiptDetail: [],
    timeoutMs: 5000,
    ...(callsPerSecond && { callsPerSecond }),
  });
  onTestFinished(async () => {
    await warehouse.close();
    await store.close();
    await simulator.close();
  });
  const orderId = simulator.createOrder({ lines: 12 });
  const subject = { tenant: '9104', kind: 'order', id: orderId } as const;
  const clock = { time: 1_000_000 };
  const offhand = createOffhand({
    isAlone: true,
    isFree: (_, count) => warehouse.isFree(count),
    now: () => clock.time,
  });
  const deps = {
    ...{ warehouseOf: () => warehouse, resources: store.resources, subjects: store.subjects, offhand },
    ...{ directoryMaxAgeMs: 60_000, retry: { slowMs: 60_000, retryAfterCapMs: 600_000 } },
  } as unknown as ActivityDeps;
  const calls = () => {
    const { token: _, ...gets } = simulator.counts().calls;
    return gets;
  };
  return { simulator, store, orderId, subject, clock, deps, calls };
}
