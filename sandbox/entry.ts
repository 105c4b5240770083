/** Everything that the product takes from the sandbox. Each part is loaded when it is asked for. */
export const sandbox = {
  dependencies: () => import('./dependencies.ts'),
  /** Services that stand in for those that are not configured. */
  embedded: () => import('./embedded.ts'),
  demonstration: () => import('./demonstration/demonstrate.ts'),
  faults: () => import('./simulator/api/faults.ts'),
  manners: () => import('./simulator/manners.ts'),
  webhookRecords: () => import('./simulator/webhooks/record.ts'),
  eventTypes: () => import('./simulator/webhooks/event-types.ts'),
  serverBinary: () => import('./temporal-server/server-binary.ts'),
};

export type { Demonstration } from './demonstration/demonstrate.ts';
export type { Embedded } from './dependencies.ts';
