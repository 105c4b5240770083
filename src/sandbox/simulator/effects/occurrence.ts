import type { StockLevels } from '../../../domain/lifecycle/snapshot.ts';

/** What may be told of an event besides that it happens. */
export interface Circumstances {
  /** A pick job is done without every line picked. */
  readonly incomplete?: boolean;
  /** The line of an order that is picked or packed; by default its first. */
  readonly orderItemId?: string;
  /** An item is taken out of use, or into use again. */
  readonly deactivated?: boolean;
  /** What there is of a thing from now on; by default the seed moves what is on hand and available. */
  readonly levels?: StockLevels;
}

/** The circumstances of an event that happens. */
export interface Occurrence extends Circumstances {
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** What an event changes in what it happens to. */
export type Effect<S> = (state: S, occurrence: Occurrence) => Partial<S>;
