/** Of workflows and quick activities. */
export const TASK_QUEUE = 'dockline';

/** Without a tenant: the queue of tenants that are no longer configured, whose GETs fail. */
export const warehouseTaskQueue = (taskQueue: string, tenant?: string): string =>
  tenant === undefined ? `${taskQueue}-warehouse` : `${taskQueue}-warehouse-${tenant}`;

export const announceTaskQueue = (taskQueue: string): string => `${taskQueue}-announce`;

export const warehouseQueues = (taskQueue: string, tenants: readonly { readonly id: string }[]): readonly string[] => [
  ...tenants.map(({ id }) => warehouseTaskQueue(taskQueue, id)),
  warehouseTaskQueue(taskQueue),
];
