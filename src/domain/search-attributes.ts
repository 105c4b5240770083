export const searchAttributes = {
  Stage: 'KEYWORD',
  Customer: 'KEYWORD',
  Facility: 'KEYWORD',
  ReferenceNumber: 'KEYWORD',
  Attention: 'KEYWORD_LIST',
  DueAt: 'DATETIME',
  Lateness: 'KEYWORD',
  LastEventTime: 'DATETIME',
} as const;

export type SearchAttributeName = keyof typeof searchAttributes;

/** Kept up to date: each change is an action, which Temporal Cloud bills. */
export const searchAttributeChoices = {
  all: Object.keys(searchAttributes) as readonly SearchAttributeName[],
  /** They change once or twice in the life of a healthy subject. */
  attention: ['Attention', 'Lateness', 'DueAt', 'ReferenceNumber', 'Customer'],
  none: [],
} as const satisfies Record<string, readonly SearchAttributeName[]>;

export type SearchAttributeChoice = keyof typeof searchAttributeChoices;
