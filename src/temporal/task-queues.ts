/** The task queue of workflows and their quick activities. */
export const TASK_QUEUE = 'dockline';

/** A task queue of GETs and the rate at which it is worked off. */
export interface WarehouseQueue {
  readonly taskQueue: string;
  /** Retrievals a second, over all workers together. */
  readonly perSecond: number;
}

/** Where the GETs of one operator's warehouse are taken up, or of any whose operator is not named. */
export function warehouseTaskQueue(taskQueue: string, tenant?: string): string {
  return `${taskQueue}-warehouse${tenant === undefined ? '' : `-${tenant}`}`;
}

/** Where announcements to one operator's destination are taken up, or to that of any whose operator is not named. */
export function announceTaskQueue(taskQueue: string, tenant?: string): string {
  return `${taskQueue}-announce${tenant === undefined ? '' : `-${tenant}`}`;
}

/** All task queues of announcements: a destination that hangs takes no slots from the others, nor from recording. */
export function announceQueues(
  taskQueue: string,
  operators: readonly { readonly tenant: string | undefined }[],
): string[] {
  const named = operators.flatMap(({ tenant }) => (tenant === undefined ? [] : [announceTaskQueue(taskQueue, tenant)]));
  return [...named, announceTaskQueue(taskQueue)];
}

/**
 * All task queues of GETs: one for each operator that is named, and always the one without a name, where workflows ask that
 * began before theirs was. Since nobody knows whose those are, it keeps to the lowest rate.
 */
export function warehouseQueues(
  taskQueue: string,
  operators: readonly { readonly tenant: string | undefined; readonly callsPerSecond: number }[],
): WarehouseQueue[] {
  const named = operators.flatMap(({ tenant, callsPerSecond }) =>
    tenant === undefined ? [] : [{ taskQueue: warehouseTaskQueue(taskQueue, tenant), perSecond: callsPerSecond }],
  );
  const lowest = Math.min(...operators.map(({ callsPerSecond }) => callsPerSecond));
  return [...named, { taskQueue: warehouseTaskQueue(taskQueue), perSecond: lowest }];
}
