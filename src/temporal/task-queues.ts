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
