/** Task queue of workflows and quick activities. */
export const TASK_QUEUE = 'dockline';

/** Task queue of retrievals with its rate. */
export interface WarehouseQueue {
  readonly taskQueue: string;
  /** Retrievals per second, across all workers. */
  readonly perSecond: number;
}

const queueOf = (shared: string, tenant?: string): string => (tenant === undefined ? shared : `${shared}-${tenant}`);

/** Returns the task queue of a tenant's retrievals, or the shared one. */
export const warehouseTaskQueue = (taskQueue: string, tenant?: string): string =>
  queueOf(`${taskQueue}-warehouse`, tenant);

/** Returns the task queue of a tenant's announcements, or the shared one. */
export const announceTaskQueue = (taskQueue: string, tenant?: string): string =>
  queueOf(`${taskQueue}-announce`, tenant);

/** Returns all task queues of announcements: a destination that hangs takes no slots from the others. */
export function announceQueues(taskQueue: string, tenants: readonly { readonly id: string | undefined }[]): string[] {
  const named = tenants.flatMap(({ id }) => (id === undefined ? [] : [announceTaskQueue(taskQueue, id)]));
  return [...named, announceTaskQueue(taskQueue)];
}

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
