/** Most urgent first. A second of waiting outweighs a class, so that every call gets its turn. */
const priorities = {
  /** A person waits for it. */
  person: 0,
  event: 1,
  /** Second looks, differences found by a sweep, and what rarely changes. */
  later: 2,
  sweep: 3,
} as const;

export type Priority = keyof typeof priorities;

const MS_PER_CLASS = 1000;

/** The lowest has the next turn. */
export const rankOf = (priority: Priority, now = performance.now()): number =>
  now + priorities[priority] * MS_PER_CLASS;
