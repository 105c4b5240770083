/** In Temporal, each with its type in Temporal's spelling. */
export const searchAttributes = {
  Stage: 'KEYWORD',
  Customer: 'KEYWORD',
  Facility: 'KEYWORD',
  /** The customer's own number for the subject. */
  ReferenceNumber: 'KEYWORD',
  /** Absent if there are none. */
  Attention: 'KEYWORD_LIST',
  /** Absent if no rule for deadlines matches. */
  DueAt: 'DATETIME',
  /** `atRisk` or `overdue`; absent if it is in time. */
  Lateness: 'KEYWORD',
  LastEventTime: 'DATETIME',
} as const;

export type SearchAttributeName = keyof typeof searchAttributes;

/** Choices of the attributes that subjects keep up to date: each change of one is an action, which Temporal Cloud bills. */
export const searchAttributeChoices = {
  all: Object.keys(searchAttributes) as readonly SearchAttributeName[],
  /** Those that change once or twice in the life of a subject which nothing is wrong with. */
  attention: ['Attention', 'Lateness', 'DueAt', 'ReferenceNumber', 'Customer'],
  none: [],
} as const satisfies Record<string, readonly SearchAttributeName[]>;

export type SearchAttributeChoice = keyof typeof searchAttributeChoices;
