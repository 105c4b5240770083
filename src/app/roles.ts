/** The roles of a process: webhooks in, dispatching, workflows and activities, administration. */
export const roles = ['webhook', 'dispatcher', 'worker', 'admin'] as const;

/** One of them. */
export type Role = (typeof roles)[number];
