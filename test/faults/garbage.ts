/** The signal that there is, one that there was, one that belongs to another kind of message, and one that nobody knows. */
export const signalNames = ['events', 'resend', 'refresh', 'no such signal'] as const;

const TEN_THOUSAND_IDS = Array.from({ length: 10_000 }, (_, index) => `order:9104:${index}/1/created`);

/** Arguments of signals that no program of ours sends. */
export const garbage: readonly [readonly unknown[], ...(readonly unknown[])[]] = [
  [],
  [null],
  ['a string'],
  [{ ids: 7 }],
  [TEN_THOUSAND_IDS],
  [[null, 7, { name: 'OrderCreate' }], 'settings'],
  [[], { gracePeriodMs: 'long', stageLimitsMs: null }],
];
