import type { ReconcileInput } from '../../workflows/sweep-state.ts';
import type { Config } from '../config/config.ts';
import { warehouseTaskQueue } from '../temporal/task-queues.ts';

/** A continuation every so many pages keeps each history short. */
const PAGES_PER_RUN = 500;

/** What the sweep of each of these tenants starts with. */
export function sweepInputs(config: Config, taskQueue: string, tenants: readonly string[]): ReconcileInput[] {
  return tenants.map((tenant) => ({
    tenant,
    kinds: config.RECONCILE_KINDS,
    lookBackMs: config.RECONCILE_LOOKBACK_MS,
    overlapMs: config.RECONCILE_OVERLAP_MS,
    quietMs: config.RECONCILE_GRACE_MS,
    pageSize: config.RECONCILE_PAGE_SIZE,
    pagesPerRun: PAGES_PER_RUN,
    warehouseTaskQueue: warehouseTaskQueue(taskQueue, tenant),
  }));
}
