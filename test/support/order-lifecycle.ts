/** The six events of an order that goes straight from creation to close. */
export const orderLifecycle = [
  'OrderCreate',
  'OrderFullyAllocated',
  'OrderPickJobDone',
  'OrderPackStarted',
  'OrderPackComplete',
  'OrderConfirm',
] as const;
