/** Task queue of workflows and quick activities. */
export const TASK_QUEUE = 'dockline';

/** Task queue of retrievals with its rate. */
export interface WarehouseQueue {
  readonly taskQueue: string;
  /** Retrievals per second, across all workers. */
  readonly perSecond: number;
}

/** Returns the task queue of a tenant's retrievals, or the shared one. */
export const warehouseTaskQueue = (taskQueue: string, tenant?: string): string =>
  tenant === undefined ? `${taskQueue}-warehouse` : `${taskQueue}-warehouse-${tenant}`;

/** Returns the task queue of announcements to all destinations, however many there are. */
export const announceTaskQueue = (taskQueue: string): string => `${taskQueue}-announce`;

/**
 * Returns all task queues of retrievals: one per named tenant, and the shared one for workflows that started before their tenant was
 * named. The shared queue has the lowest rate, because its tenant is unknown.
 */
export function warehouseQueues(
  taskQueue: string,
  tenants: readonly { readonly id: string | undefined; readonly callsPerSecond: number }[],
): WarehouseQueue[] {
  const named = tenants.flatMap(({ id, callsPerSecond }) =>
    id === undefined ? [] : [{ taskQueue: warehouseTaskQueue(taskQueue, id), perSecond: callsPerSecond }],
  );
  const lowest = Math.min(...tenants.map(({ callsPerSecond }) => callsPerSecond));
  return [...named, { taskQueue: warehouseTaskQueue(taskQueue), perSecond: lowest }];
}
