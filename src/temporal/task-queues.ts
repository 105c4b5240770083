/** The task queue of workflows and their quick activities. */
export const TASK_QUEUE = 'dockline';

/** A task queue of GETs and the rate at which it is worked off. */
export interface WarehouseQueue {
  readonly taskQueue: string;
  /** Retrievals a second, over all workers together. */
  readonly perSecond: number;
}

/** Where the GETs of one tenant's warehouse are taken up, or of any whose tenant is not named. */
export function warehouseTaskQueue(taskQueue: string, tenant?: string): string {
  return `${taskQueue}-warehouse${tenant === undefined ? '' : `-${tenant}`}`;
}

/** Where announcements to one tenant's destination are taken up, or to that of any whose tenant is not named. */
export function announceTaskQueue(taskQueue: string, tenant?: string): string {
  return `${taskQueue}-announce${tenant === undefined ? '' : `-${tenant}`}`;
}

/** All task queues of announcements: a destination that hangs takes no slots from the others, nor from recording. */
export function announceQueues(taskQueue: string, tenants: readonly { readonly id: string | undefined }[]): string[] {
  const named = tenants.flatMap(({ id }) => (id === undefined ? [] : [announceTaskQueue(taskQueue, id)]));
  return [...named, announceTaskQueue(taskQueue)];
}

/**
 * All task queues of GETs: one for each tenant that is named, and always the one without a name, where workflows ask that
 * began before theirs was. Since nobody knows whose those are, it keeps to the lowest rate.
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
