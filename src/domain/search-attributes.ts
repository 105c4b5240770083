/** Search attributes of subjects in Temporal, each with its type in Temporal's spelling. */
export const searchAttributes = {
  Stage: 'KEYWORD',
  /** Id of the customer. */
  Customer: 'KEYWORD',
  /** Id of the facility. */
  Facility: 'KEYWORD',
  /** The customer's own number for the subject. */
  ReferenceNumber: 'KEYWORD',
  /** Reasons why it needs attention; absent if there are none. */
  Attention: 'KEYWORD_LIST',
  /** Time by which it is to be done; absent if no rule for deadlines matches. */
  DueAt: 'DATETIME',
  /** `atRisk` or `overdue`; absent if it is in time. */
  Lateness: 'KEYWORD',
  /** Time of the newest event. */
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

/** Name of a choice. */
export type SearchAttributeChoice = keyof typeof searchAttributeChoices;
