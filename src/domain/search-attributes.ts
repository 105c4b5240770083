/** The search attributes by which subjects are found in Temporal, each with its type in Temporal's spelling. */
export const searchAttributes = {
  /** The stage. */
  Stage: 'KEYWORD',
  /** The customer's id. */
  Customer: 'KEYWORD',
  /** The facility's id. */
  Facility: 'KEYWORD',
  /** The customer's own number for it. */
  ReferenceNumber: 'KEYWORD',
  /** Why it waits for a person, every reason; absent where there is none. */
  Attention: 'KEYWORD_LIST',
  /** When the newest event happened. */
  LastEventTime: 'DATETIME',
} as const;

/** The name of one of Dockline's search attributes. */
export type SearchAttributeName = keyof typeof searchAttributes;
