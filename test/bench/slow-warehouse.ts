import { pass } from './end-to-end.ts';
import { figure } from './figure.ts';
import type { Verdict } from './ledger.ts';
import type { SlowWarehouseResult } from './results.ts';
import type { Surroundings } from './surroundings.ts';
import { openSystem } from './system.ts';
import { steps } from './workload.ts';

const LATENCY_MS = 150;
const PER_SECOND = 5;
const CALLS_AN_ORDER = 2;

/** Sends a burst to Dockline on SQLite while the warehouse is slow and allows few calls. */
export async function measureSlowWarehouse(
  surroundings: Surroundings,
  orders: number,
): Promise<{ readonly result: SlowWarehouseResult; readonly verdict: Verdict }> {
  await using opened = new AsyncDisposableStack();
  const env = { WAREHOUSE_CALLS_PER_SECOND: String(PER_SECOND) };
  const system = await openSystem('sqlite', { ...surroundings, env }, opened);
  const { warehouse } = system.arena;
  // Afterwards it knows users and customers.
  await pass(system, '16', 1);
  warehouse.behave({ latencyMs: LATENCY_MS, perSecond: PER_SECOND });
  const [callsBefore, refusedBefore] = [warehouse.calls(), warehouse.refused()];
  const { eventsPerSecond } = await pass(system, 'burst', orders);
  const seconds = (orders * steps.length) / eventsPerSecond;
  const result = {
    ...{ orders, seconds, ratio: seconds / ((orders * CALLS_AN_ORDER) / PER_SECOND) },
    ...{ calls: warehouse.calls() - callsBefore, refused: warehouse.refused() - refusedBefore },
  };
  surroundings.say(`slow warehouse: ${orders} orders in ${figure(seconds)} s, ${result.calls} calls`);
  return { result, verdict: system.verdict() };
}
