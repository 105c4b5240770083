import type { SubjectKind } from '../../../domain/catalogue/subject.ts';
import type { StockLevels } from '../../../domain/lifecycle/snapshot.ts';
import type { Stream } from '../random.ts';
import { type Customer, chooseCustomer, type Identifier, users } from './directory.ts';

/** Fields of every kind of subject. Times are milliseconds since the epoch. */
export interface Entry {
  readonly kind: SubjectKind;
  /** Unique across kinds; a string for stock, which has no number of its own. */
  readonly id: number | string;
  readonly customer: Customer;
  readonly clerk: Identifier;
  readonly created: number;
  readonly deleted: boolean;
  readonly lastModified: number;
  readonly lastModifiedBy: Identifier;
}

/** Fields that a caller may choose for a new subject; the seed chooses the others. Fields that the kind lacks are ignored. */
export interface EntryOptions {
  /** One of the simulator's customers. */
  readonly customerId?: number;
  /** One of the simulator's facilities; an item has none. */
  readonly facilityId?: number;
  /** For an order, receipt, adjustment or assembly. */
  readonly referenceNum?: string;
  /** Number of lines of an order, 1 to 1000. Default: one to three. */
  readonly lines?: number;
  /** Item of stock or of a hold. */
  readonly itemId?: number;
  /** Qualifier of stock or of a hold. Default: none. */
  readonly qualifier?: string;
}

/** Creates the common fields of a subject, all but its id. Throws if the customer is unknown. */
export function newEntry<K extends SubjectKind>(
  kind: K,
  stream: Stream,
  { customerId }: EntryOptions,
): Omit<Entry, 'id'> & { readonly kind: K } {
  const customer = chooseCustomer(stream, customerId);
  const clerk = stream.pick(users);
  const created = Date.now();
  return { kind, customer, clerk, created, deleted: false, lastModified: created, lastModifiedBy: clerk };
}

/** Details of an event besides its name. */
export interface EventDetails {
  /** Ends a pick job with some lines unpicked. */
  readonly incomplete?: boolean;
  /** Order line that is picked or packed. Default: the first. */
  readonly orderItemId?: string;
  /** Deactivates or reactivates an item. */
  readonly deactivated?: boolean;
  /** New stock levels. Default: the seed changes the quantities on hand and available. */
  readonly levels?: StockLevels;
}

/** Details of an event with its time, in milliseconds since the epoch. */
export interface TimedDetails extends EventDetails {
  readonly time: number;
}

/** Returns the fields of a subject that an event changes. */
export type Effect<S> = (state: S, details: TimedDetails) => Partial<S>;
