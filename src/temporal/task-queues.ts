/** Task queue of workflows and quick activities. */
export const TASK_QUEUE = 'dockline';

/** Returns the task queue of a tenant's retrievals, or the shared one. */
export const warehouseTaskQueue = (taskQueue: string, tenant?: string): string =>
  tenant === undefined ? `${taskQueue}-warehouse` : `${taskQueue}-warehouse-${tenant}`;

/** Returns the task queue of announcements to all destinations, however many there are. */
export const announceTaskQueue = (taskQueue: string): string => `${taskQueue}-announce`;

/** Returns all task queues of retrievals: one per named tenant, and the shared one for workflows that started before their tenant was named. */
export const warehouseQueues = (
  taskQueue: string,
  tenants: readonly { readonly id: string | undefined }[],
): readonly string[] => [
  ...tenants.flatMap(({ id }) => (id === undefined ? [] : [warehouseTaskQueue(taskQueue, id)])),
  warehouseTaskQueue(taskQueue),
];
