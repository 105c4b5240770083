import { z } from 'zod';
import type { SubjectKind } from '../../../src/domain/catalogue/subject.ts';
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

const integer = z.number().int().exactOptional();
const text = z.string().exactOptional();

/** Schema of the fields that a caller may choose for a new subject. The seed chooses the others; a kind ignores what it lacks. */
export const entryOptionsSchema = z.strictObject({
  customerId: integer,
  /** An item has none. */
  facilityId: integer,
  /** For an order, receipt, adjustment or assembly. */
  referenceNum: text,
  /** Number of lines of an order, 1 to 1000. Default: one to three. */
  lines: integer,
  /** Item of stock or of a hold. */
  itemId: integer,
  /** Qualifier of stock or of a hold. Default: none. */
  qualifier: text,
  /** Time of its creation, in milliseconds since the epoch. Default: now. */
  created: integer,
});

/** Fields that a caller may choose for a new subject. */
export type EntryOptions = Readonly<z.output<typeof entryOptionsSchema>>;

/** Everything that decides how a subject begins. */
export interface NewSubject extends EntryOptions {
  readonly id: number;
  /** Within its kind. */
  readonly number: number;
  readonly seed: number;
  readonly stream: Stream;
  /** Its goods are as in a real warehouse. */
  readonly isReal: boolean;
}

/** Creates the common fields of a subject, all but its id. Throws if the customer is unknown. */
export function newEntry<K extends SubjectKind>(
  kind: K,
  { stream, customerId, created = Date.now() }: NewSubject,
): Omit<Entry, 'id'> & { readonly kind: K } {
  const customer = chooseCustomer(stream, customerId);
  const clerk = stream.pick(users);
  return { kind, customer, clerk, created, deleted: false, lastModified: created, lastModifiedBy: clerk };
}

/** Schema of the details of an event besides its name. */
export const eventDetailsSchema = z.strictObject({
  /** Ends a pick job with some lines unpicked. */
  incomplete: z.boolean().exactOptional(),
  /** Order line that is picked or packed. Default: the first. */
  orderItemId: z.coerce.string().exactOptional(),
  /** Deactivates or reactivates an item. */
  deactivated: z.boolean().exactOptional(),
  /** New stock levels. Default: the seed changes the quantities on hand and available. */
  levels: z
    .strictObject({ totalReceived: integer, allocated: integer, available: integer, onHold: integer, onHand: integer })
    .exactOptional(),
});

/** Details of an event besides its name. */
export type EventDetails = Readonly<z.output<typeof eventDetailsSchema>>;

/** Details of an event with its time, in milliseconds since the epoch. */
export interface TimedDetails extends EventDetails {
  readonly time: number;
}

/** Returns the fields of a subject that an event changes. */
export type Effect<S> = (state: S, details: TimedDetails) => Partial<S>;
