/** The six events of an order that goes straight from its creation to its close. */
export const orderLife = [
  'OrderCreate',
  'OrderFullyAllocated',
  'OrderPickJobDone',
  'OrderPackStarted',
  'OrderPackComplete',
  'OrderConfirm',
] as const;
