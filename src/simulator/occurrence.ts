/** The circumstances of an event. */
export interface Occurrence {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** A pick job that is done without every line picked. */
  readonly incomplete: boolean;
}

/** What an event changes in what it happens to. */
export type Effect<S> = (state: S, occurrence: Occurrence) => Partial<S>;
